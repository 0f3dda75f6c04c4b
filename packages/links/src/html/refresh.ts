/**
 * The URL in the value of a `Refresh` header or of `<meta http-equiv="refresh">`. `null` if the value has no URL or is
 * not valid, so that browsers stay on the page.
 *
 * @see HTML Living Standard, "shared declarative refresh steps", 2 to 11
 */
export function refreshUrl(value: string): string | null {
  const time = /^[\t\n\f\r ]*(?:\d+[\d.]*|\.[\d.]*)/.exec(value);
  if (time === null) return null;
  const rest = value.slice(time[0].length);
  const separator = /^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/.exec(rest)![0];
  if (separator === "") return null;
  const given = rest.slice(separator.length);
  const target = given.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, "");
  if (target === "") return null;
  const quote = target[0];
  if (quote !== '"' && quote !== "'") return target;
  const end = target.indexOf(quote, 1);
  return end < 0 ? target.slice(1) : target.slice(1, end);
}
