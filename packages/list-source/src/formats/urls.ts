import type { ListFormat } from "./format.ts";
import { isComment, withoutComment, withoutLeadingWildcard } from "./parts/plain-lines.ts";

/** One URL, host or expression per line. */
export const urls: ListFormat = {
  name: "urls",
  title: "URLs, hosts or expressions, one per line",
  shape: null,
  parser: (output) => ({
    line(line) {
      if (isComment(line)) return;
      if (line.startsWith("@@")) output.refuse("exception", line);
      else output.entry(withoutLeadingWildcard(withoutComment(line)), "line");
    },
  }),
};
