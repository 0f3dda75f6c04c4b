export { CLIENTS, type ClientKind, type ReadOptions, readAs } from "./clients.ts";
export type { DifferenceCode } from "./entry.ts";
export {
  type ClientReport,
  type EntryReport,
  type EntryVariant,
  interopVariants,
  type ReasonCode,
  reportEntry,
} from "./report.ts";
export type { ClientTexts, UnreadableCode } from "./texts.ts";
