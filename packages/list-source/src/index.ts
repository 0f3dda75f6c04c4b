export { refang } from "@x/canon/defanged";
export { type ColumnReader, type ColumnReaderOptions, columnReader } from "./column-reader.ts";
export { DEFANGED_URLS, ListSourceError, type ListSourceErrorCode } from "./error.ts";
export { SOURCE_FORMATS, type SourceFormat } from "./formats/table.ts";
export { entriesOfHost } from "./never-block.ts";
export {
  type ListSourceOptions,
  listSourceReader,
  readListSource,
  type SourceSummary,
} from "./reader.ts";
export { PARQUET_FILE } from "./recognize/bytes.ts";
export { RECOGNITION_BYTES, type RecognizeOptions, recognizeSource } from "./recognize/source.ts";
export { foreignLine, foreignSource, type LineRecognition } from "./recognize/url-per-line.ts";
export { isWhere, type LeftOutRows } from "./records/where.ts";
export type { Refusal } from "./refusal.ts";
export type { NotApplicable, SourceEntry } from "./results.ts";
export { type SourceProblem, sourceProblem } from "./source-problem.ts";
export type { Warning, WarningCode } from "./warning.ts";
