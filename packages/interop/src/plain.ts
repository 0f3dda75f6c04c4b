const LABEL = "(?!xn--)[a-z][a-z0-9_-]{0,62}";
const SEGMENT = String.raw`\/(?![/.])[\w.~!$&()*+,;=:@-]*`;
const QUERY = String.raw`\?[\w.~!$&()*+,;=:@?-]+`;
const PLAIN = new RegExp(
  String.raw`^(?:https?:\/\/)?${LABEL}(?:\.${LABEL})*(?:(?:${SEGMENT})+(?:${QUERY})?)?$`,
);
const MAX_LENGTH = 1000;

/**
 * Whether all clients look up the same text for the URL of an entry, because nothing in it is decoded,
 * resolved or dropped. Nearly all entries are plain, and the rules of each client need not be applied to plain entries.
 */
export function isPlain(entry: string): boolean {
  return entry.length <= MAX_LENGTH && PLAIN.test(entry);
}
