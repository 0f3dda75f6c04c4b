const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Moves a cut so that it does not split a surrogate pair. */
export function safeCut(text: string, at: number): number {
  return at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) ? at - 1 : at;
}

/** Fewer characters than this are not left out: the notice in their place would take more room. */
const FEWEST_OMITTED = 40;

/**
 * Shortens a text to about `limit` code units, three quarters of them from its start. `omitted` is the number of code
 * units that are left out.
 */
export function shorten(text: string, limit: number) {
  if (text.length < limit + FEWEST_OMITTED) return { start: text, omitted: 0, end: "" };
  const start = safeCut(text, Math.ceil(limit * 0.75));
  const end = safeCut(text, text.length - Math.floor(limit * 0.25));
  return { start: text.slice(0, start), omitted: end - start, end: text.slice(end) };
}
