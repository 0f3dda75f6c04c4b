import type { PrefixList } from "@x/prefix-list";
import { toHex } from "@x/sha256-prefix";
import { checker } from "../check.ts";
import type { Colours } from "./context.ts";
import type { Evaluate } from "./evaluate.ts";
import { printable } from "./printable.ts";
import { matchRecords } from "./records.ts";

/** Checks each URL against the lists. */
export function checking(lists: readonly PrefixList[], colours: Colours): Evaluate {
  const check = checker(lists);
  return (given) => {
    const { url, matches } = check(given);
    const isListed = matches.length > 0;
    return {
      isListed,
      toRecord: () => ({ canonical: url.href, ...matchRecords(matches) }),
      toText(shown) {
        if (!isListed) return `${colours.green("not listed")}  ${shown}`;
        const reasons = matches.map(({ list, expression, prefix }) => {
          const reason = `${expression} (${toHex(prefix)}) is on ${printable(list)}`;
          return `\n            ${colours.dim(reason)}`;
        });
        return `${colours.red(colours.bold("LISTED    "))}  ${shown}${reasons.join("")}`;
      },
    };
  };
}
