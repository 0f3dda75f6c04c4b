export {
  type Imitation,
  type ImitationOptions,
  type Imitations,
  imitations,
} from "./imitations.ts";
export { hostAlikeIn, type LookAlike, lookAlikesIn } from "./letters.ts";
