import type { ListFormat } from "./format.ts";
import { isComment, withoutComment, withoutLeadingWildcard } from "./parts/plain-lines.ts";

/** One domain per line. */
export const domains: ListFormat = {
  name: "domains",
  title: "domains, one per line",
  shape: null,
  parser: (output) => ({
    line(line) {
      if (!isComment(line)) output.entry(withoutLeadingWildcard(withoutComment(line)), "host");
    },
  }),
};
