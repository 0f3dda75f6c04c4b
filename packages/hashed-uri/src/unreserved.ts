/**
 * An escape; or a `%` that begins none, with a digit and an escape that it would join to make a new
 * escape if that one were decoded.
 */
const ESCAPE_OR_STRAY_PERCENT = /%([0-9a-f]{2})|%[0-9a-f]?(?:%[0-9a-f]{2})?/gi;
const UNRESERVED = /[A-Za-z0-9\-_.!~*'()]/;

/**
 * The text with escapes of unreserved characters decoded, which never changes what a URI means.
 *
 * Everything else stays as written, `%2525` and `%2f` too. Decoding what was decoded changes nothing: a
 * stray `%` keeps the escape behind it from becoming part of another.
 *
 * @see RFC 2396 §2.3
 */
export function decodeUnreserved(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(ESCAPE_OR_STRAY_PERCENT, (match, hex: string | undefined) => {
    if (hex === undefined) return match;
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : match;
  });
}
