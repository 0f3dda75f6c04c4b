import { words } from "./split-words.ts";

/** The most common name of a column or field with entries. */
const URL_NAME = "url";
/** Usual names of columns and fields with entries, the most specific first, and their ranks. */
const RANKS: ReadonlyMap<string, number> = new Map(
  words(
    `${URL_NAME} urls uri uris ioc_value ioc indicator domain domains domain_name domainname domainaddress fqdn ` +
      "hostname hostnames host hosts",
  ).map((name, rank) => [name, rank]),
);

/** The rank of a usual name of a column with entries, from 0 for the most common one; -1 for other names. */
export function usualRank(name: string): number {
  return RANKS.get(name.toLowerCase()) ?? -1;
}

/** Whether a column of this name usually contains URLs. */
export function isUrlName(name: string): boolean {
  const rank = usualRank(name);
  return rank >= 0 && rank <= usualRank("uris");
}

/** Whether a field of this name is certainly the entry. A field such as `host` often names a server instead. */
export function isEntryName(name: string): boolean {
  const rank = usualRank(name);
  return rank >= 0 && rank <= usualRank("fqdn");
}

/** Names of arrays whose strings are entries. */
const LISTS =
  /^(?:data|results?|items?|entries|list|records?|values?|payload|urls?|uris?|domains?|domain_?names?|fqdns?|host(?:name)?s?|sites?|websites?|iocs?|indicators?|observables?|.*(?:black|block|deny|ban)[-_ ]?list(?:ed)?|block|blocked|deny|denied|ban|banned|denied-remote-(?:domains|hosts)|phish(?:ing)?|malware|malicious|scams?|bad|threats?|unsafe|dangerous|suspicious|(?:unsafe|malicious|phishing|malware|bad|scam|blocked|dangerous|suspicious|active|new|all)[-_](?:urls|domains|hosts|sites))$/i;

/** Whether an array of this name contains entries, or records of them. */
export function isListName(name: string): boolean {
  return LISTS.test(name);
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
  const exact = indicesOf(names, (name) => name === (asked ?? URL_NAME));
  if (asked !== undefined) {
    const wanted = asked.toLowerCase();
    return exact.length > 0 ? exact : indicesOf(names, (name) => name.toLowerCase() === wanted);
  }
  const ranks = names.map(usualRank);
  const usual = indicesOf(names, (_, i) => ranks[i]! >= 0).sort((a, b) => ranks[a]! - ranks[b]!);
  return exact.length === 0 ? usual : [...new Set([...exact, ...usual])];
}

function indicesOf(
  names: readonly string[],
  isFound: (name: string, index: number) => boolean,
): number[] {
  const found: number[] = [];
  for (let i = 0; i < names.length; i++) if (isFound(names[i]!, i)) found.push(i);
  return found;
}
