/** Names of the columns and fields that hold entries, the most telling first. */
const USUAL_NAMES: readonly string[] = [
  "url",
  "urls",
  "uri",
  "ioc_value",
  "indicator",
  "domain",
  "domains",
  "fqdn",
  "hostname",
  "host",
];

/** Which of the names holds the entries: the one that was asked for, or else a usual one; -1 for none. */
export function findColumn(names: readonly string[], asked: string | undefined): number {
  if (asked !== undefined && names.includes(asked)) return names.indexOf(asked);
  const lower = names.map((name) => name.toLowerCase());
  const wanted = asked === undefined ? USUAL_NAMES : [asked.toLowerCase()];
  const found = wanted.find((name) => lower.includes(name));
  return found === undefined ? -1 : lower.indexOf(found);
}
