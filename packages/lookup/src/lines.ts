export {
  type Line,
  type LineBlock,
  lineReader,
  linesIn,
  MAX_LINE_BYTES,
} from "./line-reader.ts";
