import type { LineParser, ListFormat, Output } from "./format.ts";
import { plainParser } from "./parts/plain-lines.ts";

/** One URL, host or expression per line. */
export const urls: ListFormat = {
  name: "urls",
  title: "URLs, hosts or expressions, one per line",
  shape: null,
  parser: (output: Output): LineParser => plainParser(output, "line"),
};
