/**
 * An escape; but not behind a `%` that begins none, nor behind such a `%` and a digit: those would join
 * what the escape stands for to make a new escape.
 */
const ESCAPE = /(?<!%[0-9a-f]?)%[0-9a-f]{2}/gi;
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
  return text.replace(ESCAPE, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return UNRESERVED.test(character) ? character : written;
  });
}
