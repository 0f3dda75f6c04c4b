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
