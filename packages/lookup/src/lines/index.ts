export { type Line, type LineBlock, linesIn, MAX_LINE_BYTES } from "./line.ts";
export { type LineReader, lineReader } from "./line-reader.ts";
