/** Decodes percent-encodings as UTF-8. A malformed escape stays as it is. */
export function decodePercents(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = new Uint8Array(run.length / 3);
    for (let i = 0; i < bytes.length; i++) {
      bytes[i] = Number.parseInt(run.slice(3 * i + 1, 3 * i + 3), 16);
    }
    return decoder.decode(bytes);
  });
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes the value of a parameter, in which a plus sign is a space. */
export function decodeParameter(value: string): string {
  return decodePercents(value.replaceAll("+", " "));
}

/**
 * Decodes base64 or base64url, with or without padding, up to the first character that belongs to neither. `null` if
 * nothing can be decoded.
 */
export function decodeBase64(text: string): string | null {
  const bytes = decodeBase64Bytes(text);
  return bytes === null ? null : decoder.decode(bytes);
}

function decodeBase64Bytes(text: string): Uint8Array | null {
  const digits = /^[\w+/-]*/.exec(text)![0].replaceAll("-", "+").replaceAll("_", "/");
  // A single last digit does not hold a whole byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  if (whole === "") return null;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

/** Decodes pairs of hexadecimal digits. */
export function decodeHex(text: string): string {
  return decodePercents(text.replace(/../g, "%$&"));
}

const START =
  /^[\0- ]*data:(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|(?:text|application)\/xml)((?:;[^,]*)?),/i;
const IN_BASE64 = /;\s*base64\s*$/i;

/**
 * The document in a `data:` URL, if browsers read it as HTML or XML; otherwise `null`.
 *
 * @see Fetch Standard, "data: URL processor"
 */
export function documentInDataUrl(url: string): string | null {
  const start = START.exec(url);
  if (start === null) return null;
  const body = decodePercents(url.slice(start[0].length));
  return IN_BASE64.test(start[1]!) ? decodeBase64(body.replace(/\s+/g, "")) : body;
}

/**
 * Signs that a text contains a URL in base64 or in hexadecimal. Each string has the characters that are possible at one
 * place. All signs have at least three places.
 * `lookAtUrl` has room for 14.
 */
export const ENCODED_MARKS: readonly (readonly string[])[] = [
  // `http` in letters of any case, after 0, 1 and 2 other bytes of a group
  ["aS", "HF", "R", "0U"],
  ["h", "0U", "dV", "HF"],
  ["oI", "dV", "HF", "R"],
  // `{"`, and an escape of ASCII
  ["e", "y", "J"],
  ["J", "T", "IJKLMNOPQRSTUVWXYZabcd"],
  // `http`, `{"` and an escape in base64 twice
  ["YU", "U0", "hZ", "S"],
  ["Z", "X", "l", "K"],
  ["S", "l", "QRST"],
  // the same in base64 three times and more, which all begins alike
  ["UV", "12", "xZ"],
  ["VW", "TVjl", "BFJNRSVh"],
  ["V", "m", "01px"],
  // two slashes or backslashes and the start of a host
  ["LX", "yC", "89"],
  ["LX", "1F", "wxyz"],
  // `http` in hexadecimal
  ["64", "8", "75", "4", "75", "4", "75", "0"],
];
