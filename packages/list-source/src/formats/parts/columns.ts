import { words } from "./words.ts";

/** Usual names of columns and fields with entries, the most specific first. */
const USUAL_NAMES: readonly string[] = words(
  "url urls uri uris ioc_value ioc indicator domain domains domain_name domainname domainaddress fqdn hostname " +
    "hostnames host hosts",
);

/** How usual a name is for a column with entries, from 0 for the most usual one; -1 if it is not usual. */
export function usualRank(name: string): number {
  return USUAL_NAMES.indexOf(name.toLowerCase());
}

/** Whether a value can name a column: it is a non-empty string or a whole number from 1. */
export function isColumn(value: unknown): value is string | number {
  if (typeof value === "number") return Number.isInteger(value) && value > 0;
  return typeof value === "string" && value !== "";
}

/**
 * The indices of the columns that may have the entries, the best first: those with the requested name or, if none is
 * requested, with a usual name. An exact match is preferred to one that differs in case.
 */
export function findColumns(names: readonly string[], asked: string | undefined): number[] {
  const exact = indicesOf(names, asked ?? USUAL_NAMES[0]!);
  if (asked !== undefined && exact.length > 0) return exact;
  const lower = names.map((name) => name.toLowerCase());
  const wanted = asked === undefined ? USUAL_NAMES : [asked.toLowerCase()];
  const found = wanted.flatMap((name) => indicesOf(lower, name));
  return exact.length === 0 ? found : [...new Set([...exact, ...found])];
}

function indicesOf(names: readonly string[], wanted: string): number[] {
  return names.flatMap((name, i) => (name === wanted ? [i] : []));
}
