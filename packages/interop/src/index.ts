export type { Reading, UnreadableCode } from "./clients/reading.ts";
export { CLIENTS, type Client, type ClientOptions, clientTitle, readAs } from "./clients.ts";
export type { DifferenceCode } from "./difference.ts";
export { type ClientReport, type EntryReport, type ReasonCode, reportEntry } from "./report.ts";
export { interopVariants, type Variant } from "./variants.ts";
export { isZoneName } from "./zone-names.ts";
