/**
 * The wait that the server requests (RFC 9110 §10.2.3), in milliseconds; `null` when it requests none. The caller must
 * limit the wait.
 */
export function retryAfter(headers: Pick<Headers, "get">, now: number = Date.now()): number | null {
  const value = (headers.get("retry-after") ?? "").trim();
  // A header that was sent twice, for example by a server and by a proxy, has both values. The longer wait counts.
  if (/^\d+(?:\s*,\s*\d+)*$/.test(value)) {
    const seconds = Math.max(...value.split(",").map(Number));
    return Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER);
  }
  // `Date.parse` also reads text such as "-5" as a date. Only two of the three forms of an HTTP-date name the zone.
  if (!/^[A-Z]/.test(value)) return null;
  const dates = value.split(/(?<= GMT)\s*,\s*/);
  const waits = dates.map((date) => Date.parse(date.replace(/( GMT)?$/, " GMT")) - now);
  const longest = Math.max(...waits);
  return Number.isNaN(longest) ? null : Math.max(longest, 0);
}
