export type { ClientTexts, UnreadableCode } from "./clients/texts.ts";
export { CLIENTS, type ClientKind, clientTitle, type ReadOptions, readAs } from "./clients.ts";
export type { DifferenceCode } from "./entry.ts";
export { type ClientReport, type EntryReport, type ReasonCode, reportEntry } from "./report.ts";
export { type EntryVariant, interopVariants } from "./variants.ts";
