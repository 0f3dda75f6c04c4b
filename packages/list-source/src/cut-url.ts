/*
 * Programs and pages show long URLs cut short: `http://evil.example/a/lon...`. The rest of a host is another host, and
 * belongs to somebody else: `login.evil.co...`.
 */

/** Matches a URL or host with an ellipsis in its host. Two dots are one only at the end. */
const CUT_HOST =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|\/\/)?[^/?#]*?(?:\.{3}|\.\.(?=[/?#:]|$)|[\u2025\u2026]|%(?:25)*E2%(?:25)*80%(?:25)*A[56])/i;

/** Matches a text with an ellipsis at its end, as a segment of its path, or as one character anywhere. */
const CUT =
  /(?:\.{3}|%(?:25)*E2%(?:25)*80%(?:25)*A[56]|%u2026|&(?:hellip|#8230|#x2026);|[([{<]?(?:truncated|snip(?:ped)?)[)\]}>])[)\]}>'"/]*$|\/\.{3}[/?#]|[\u2025\u2026]/i;

/** A quick check for most texts: {@link CUT} needs one of these. */
const SIGN_OF_CUT = /\.{3}|%(?:25)*(?:E2|u2)|&(?:h|#)|[)\]}>\u2025\u2026]/i;

/** Whether the host of a URL was cut short. */
export function isHostCut(text: string): boolean {
  return CUT_HOST.test(text);
}

/** Whether a URL was probably cut short somewhere. */
export function isCut(text: string): boolean {
  return SIGN_OF_CUT.test(text) && CUT.test(text);
}
