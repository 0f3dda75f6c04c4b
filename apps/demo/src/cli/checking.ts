import { canonicalize } from "@x/canon";
import { checker, type Match } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import { toHex } from "@x/sha256-prefix";
import { printable } from "../text/printable.ts";
import type { Colours } from "./context.ts";
import type { Evaluate, Finding } from "./evaluate.ts";
import { matchRecords } from "./records.ts";

/** Checks URLs against the lists. */
export function checking(lists: readonly PrefixList[], colours: Colours): Evaluate {
  const { checkMany } = checker(lists);
  const listed = colours.red(colours.bold("LISTED    "));
  const notListed = colours.green("not listed");

  const finding = (matches: readonly Match[]): Finding => ({
    isListed: matches.length > 0,
    toRecord: (url) => ({ canonical: canonicalize(url), ...matchRecords(matches) }),
    toText(shown) {
      if (matches.length === 0) return `${notListed}  ${shown}`;
      const reasons = matches.map(({ list, expression, prefix }) => {
        const reason = `${expression} (${toHex(prefix)}) is on ${printable(list.name)}`;
        return `\n            ${colours.dim(reason)}`;
      });
      return `${listed}  ${shown}${reasons.join("")}`;
    },
  });
  const clean = finding([]);

  return function* (urls) {
    for (const { matches, error } of checkMany(urls)) {
      yield error ?? (matches.length === 0 ? clean : finding(matches));
    }
  };
}
