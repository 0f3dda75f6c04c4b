export { type Checker, type CheckerOptions, checker } from "./checker.ts";
export type { ScanResult } from "./scan-lines.ts";
export { type UrlHash, type UrlHashOptions, urlHashes } from "./url-hashes.ts";
export type { LineVerdict, Match, UrlVerdict } from "./verdict.ts";
