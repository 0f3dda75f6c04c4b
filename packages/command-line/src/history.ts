import { aboutText } from "@x/explain/about";
import { counted, formatCount } from "@x/explain/counted";
import type { About, EntryChange, ListHistory } from "@x/list-store";

/** When an expression was on a list, as the commands `history` write it. */
export interface ExpressionHistory {
  readonly list: string;
  /** Why entries are on the list, and whom to tell of a mistake, if the publisher says it. */
  readonly about: About | null;
  readonly expression: string;
  /** Whether the newest version has the expression. */
  readonly listed: boolean;
  readonly changes: readonly (Omit<EntryChange, "issued"> & { readonly issued: string })[];
  /** Where the record begins. */
  readonly begins: { readonly version: number; readonly issued: string };
  /** The newest version. */
  readonly version: number;
  /** The chance that an expression has the same first four bytes as another entry of the newest version. */
  readonly chance: number;
}

/** The time of a signature, in seconds. */
const timeOf = (issued: number) => `${new Date(issued).toISOString().slice(0, 19)}Z`;

/** Converts the history of a list to plain data. `expressions` are those whose full hashes were searched for. */
export function historyRecords(
  expressions: readonly string[],
  { manifest, begins, entries }: ListHistory,
): ExpressionHistory[] {
  const { list, version, about = null, contents } = manifest;
  return expressions.map((expression, i) => {
    const { listed, changes } = entries[i]!;
    return {
      list,
      about,
      expression,
      listed,
      changes: changes.map((change) => ({ ...change, issued: timeOf(change.issued) })),
      begins: { version: begins.version, issued: timeOf(begins.issued) },
      version,
      chance: contents.prefixes / 2 ** 32,
    };
  });
}

function lineOf({
  version,
  issued,
  change,
  certain,
  orEarlier,
}: ExpressionHistory["changes"][number]) {
  const where = `in version ${version} of ${issued}${orEarlier ? " or earlier" : ""}`;
  return `  ${certain ? "" : "probably "}${change} ${where}`;
}

/** Says when the expressions of a URL were on one list, in lines for people. */
export function historyLines(url: string, records: readonly ExpressionHistory[]): string[] {
  const [first] = records;
  if (first === undefined) return [];
  const { list, about, begins, version, chance } = first;
  const heading = about === null ? [] : [`${list}: ${aboutText(about)}`];
  const found = records.filter(({ listed, changes }) => listed || changes.length > 0);
  if (found.length === 0) {
    const versions = counted(version - begins.version + 1, "version", "versions");
    return [
      ...heading,
      `${list}: ${url} was never on the list, in ${versions} since ${begins.issued}`,
    ];
  }
  const lines = found.flatMap(({ expression, listed, changes }) => [
    `${list}: ${expression} is ${listed ? "" : "not "}on the list`,
    ...changes.map(lineOf),
  ]);
  const isSure = found.every(({ changes }) => changes.every(({ certain }) => certain));
  const doubt = `${list}: "probably" means that only the first four bytes of the hash are known, which another entry may have${oddsOf(chance)}`;
  return [...heading, ...lines, ...(isSure ? [] : [doubt])];
}

function oddsOf(chance: number): string {
  if (chance === 0) return "";
  return `; by chance, about 1 expression in ${formatCount(Math.max(1, Math.round(1 / chance)))} does`;
}
