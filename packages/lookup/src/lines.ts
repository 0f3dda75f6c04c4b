export {
  type Line,
  type LineBlock,
  type LineReader,
  lineReader,
  linesIn,
  MAX_LINE_BYTES,
} from "./line-reader.ts";
