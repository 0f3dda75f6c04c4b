export { refang } from "@x/canon/defanged";
export { entriesOfHost } from "./accept-entry.ts";
export { type ColumnReader, type ColumnReaderOptions, columnReader } from "./column-reader.ts";
export { SOURCE_FORMATS, type SourceFormat } from "./formats/table.ts";
export type { Refusal, Warning, WarningCode } from "./problems.ts";
export {
  DEFANGED_URLS,
  ListSourceError,
  type ListSourceErrorCode,
  type SourceProblem,
  sourceProblem,
} from "./problems.ts";
export {
  type ListSourceOptions,
  listSourceReader,
  readListSource,
  type SourceSummary,
} from "./reader.ts";
export {
  PARQUET_FILE,
  RECOGNITION_BYTES,
  type RecognizeOptions,
  recognizeSource,
} from "./recognize-source.ts";
export { isWhere } from "./records/where.ts";
export type { NotApplicable, SourceEntry } from "./results.ts";
export { foreignLine, foreignSource, type LineRecognition } from "./url-per-line.ts";
