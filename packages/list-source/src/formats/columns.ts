/** Names of the columns and fields that contain entries, the most specific first. */
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

/** The name to look for first: the one that was asked for, or else the most usual one. */
export function firstChoice(asked: string | undefined): string {
  return asked ?? USUAL_NAMES[0]!;
}

/**
 * The index of the name of the column with the entries: the one that was asked for, or else a usual one; -1 for
 * none. An exact match is preferred to one that differs in case.
 */
export function findColumn(names: readonly string[], asked: string | undefined): number {
  if (names.includes(firstChoice(asked))) return names.indexOf(firstChoice(asked));
  const lower = names.map((name) => name.toLowerCase());
  const wanted = asked === undefined ? USUAL_NAMES : [asked.toLowerCase()];
  const found = wanted.find((name) => lower.includes(name));
  return found === undefined ? -1 : lower.indexOf(found);
}
