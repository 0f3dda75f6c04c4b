import { counted } from "@x/explain/counted";
import type { AnonymityCounts, GroupCounts } from "./prefix-groups.ts";

const LABEL = 18;
const NUMBER = 12;
const BAR = 24;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

const URLS = ["URL", "URLs"] as const;
const HOSTS = ["host", "hosts"] as const;

const number = (value: number) => value.toLocaleString("en");

function bar(share: number): string {
  const eighths = Math.round(share * BAR * 8);
  // A share above zero gets at least the thinnest bar.
  const shown = share > 0 ? Math.max(1, eighths) : 0;
  return "█".repeat(Math.floor(shown / 8)) + EIGHTHS[shown % 8];
}

function sizeLabel({ from, to }: GroupCounts, one: string, many: string): string {
  if (to === from) return `${from} ${from === 1 ? one : many}`;
  return to === null ? `over ${number(from - 1)} ${many}` : `${number(from)}–${number(to)} ${many}`;
}

/** Formats a table with bars, which has one row for each group size. */
function table(
  title: string,
  groups: readonly GroupCounts[],
  countOf: (group: GroupCounts) => number,
  nouns: readonly [one: string, many: string],
): string[] {
  const total = groups.reduce((sum, group) => sum + countOf(group), 0);
  return [
    "",
    title,
    ...groups.map((group) => {
      const count = countOf(group);
      const share = total === 0 ? 0 : count / total;
      const percent = `${(100 * share).toFixed(1)} %`;
      return `  ${sizeLabel(group, ...nouns).padEnd(LABEL)}${number(count).padStart(NUMBER)}${percent.padStart(9)}  ${bar(share)}`.trimEnd();
    }),
  ];
}

/** Formats the counts as text. With `hasLists`, the counts include only prefixes on lists. */
export function anonymityText(
  counts: AnonymityCounts,
  { prefixBytes, hasLists }: { readonly prefixBytes: number; readonly hasLists: boolean },
): string {
  const { urls, hosts, sending, expressions, prefixes, groups } = counts;
  const about = hasLists ? " that are on the lists" : "";
  const lines = [
    `${counted(urls, ...URLS)} on ${counted(hosts, ...HOSTS)}; for ${number(sending)} of them, clients send prefixes of ${prefixBytes} bytes`,
    `${counted(expressions, "expression", "expressions")}${about}, ${counted(prefixes, "prefix", "prefixes")}`,
    ...table("Prefixes that are shared by", groups, (group) => group.prefixesByUrls, URLS),
    ...table(
      "Prefixes that are shared by URLs on",
      groups,
      (group) => group.prefixesByHosts,
      HOSTS,
    ),
    ...table("URLs whose rarest prefix is shared by", groups, (group) => group.urls, URLS),
  ];
  return `${lines.join("\n")}\n`;
}
