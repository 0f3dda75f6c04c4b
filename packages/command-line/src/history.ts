import type { ExpressionHistory } from "@x/client/history";
import { aboutText } from "@x/explain/about";
import { counted, formatCount } from "@x/explain/counted";

/** The time of a signature, in seconds. */
const timeOf = (issued: number) => `${new Date(issued).toISOString().slice(0, 19)}Z`;

/** Converts the history of an expression to the JSON of the commands `history`. */
export function historyJson(history: ExpressionHistory): object {
  const { list, about, expression, listed, changes, begins, newest, chance } = history;
  return {
    list,
    about,
    expression,
    listed,
    changes: changes.map((change) => ({ ...change, issued: timeOf(change.issued) })),
    begins: { version: begins.version, issued: timeOf(begins.issued) },
    version: newest.version,
    chance,
  };
}

function lineOf({
  version,
  issued,
  change,
  certain,
  orEarlier,
}: ExpressionHistory["changes"][number]) {
  const where = `in version ${version} of ${timeOf(issued)}${orEarlier ? " or earlier" : ""}`;
  return `  ${certain ? "" : "probably "}${change} ${where}`;
}

/** Says when the expressions of a URL were on one list, in lines for people. */
export function historyLines(url: string, records: readonly ExpressionHistory[]): string[] {
  const [first] = records;
  if (first === undefined) return [];
  const { list, about, begins, newest, chance } = first;
  const heading = about === null ? [] : [`${list}: ${aboutText(about)}`];
  const found = records.filter(({ listed, changes }) => listed || changes.length > 0);
  if (found.length === 0) {
    const versions = counted(newest.version - begins.version + 1, "version", "versions");
    return [
      ...heading,
      `${list}: ${url} was never on the list, in ${versions} since ${timeOf(begins.issued)}`,
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
