export {
  type Imitation,
  type ImitationCode,
  type ImitationOptions,
  type Imitations,
  imitations,
} from "./imitations.ts";
export type { MayImitate } from "./quick-test.ts";
export { WELL_KNOWN_SITES } from "./well-known-sites.ts";
