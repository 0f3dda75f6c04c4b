export { refang } from "@x/canon/defanged";
export { type ColumnReader, type ColumnReaderOptions, columnReader } from "./column-reader.ts";
export { SOURCE_FORMATS, type SourceFormat } from "./formats/table.ts";
export { entriesOfHost } from "./never-block.ts";
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
export { PARQUET_FILE } from "./recognize/bytes.ts";
export { RECOGNITION_BYTES, type RecognizeOptions, recognizeSource } from "./recognize/source.ts";
export { foreignLine, foreignSource, type LineRecognition } from "./recognize/url-per-line.ts";
export { isWhere } from "./records/where.ts";
export type { NotApplicable, SourceEntry } from "./results.ts";
