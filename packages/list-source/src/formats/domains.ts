import type { LineParser, ListFormat, Output } from "./format.ts";
import { plainParser } from "./parts/plain-lines.ts";

/** One domain per line. */
export const domains: ListFormat = {
  name: "domains",
  title: "domains, one per line",
  shape: null,
  parser: (output: Output): LineParser => plainParser(output, "host"),
};
