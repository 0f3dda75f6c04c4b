const SHIFTED = /\+([A-Za-z\d+/]*)-?/g;

/** Whether some part of a message says that it is in UTF-7, which no `TextDecoder` reads. */
export function mentionsUtf7(raw: string): boolean {
  return /charset\s{0,9}=\s{0,9}["']?(?:unicode-1-1-|x-)?utf-?7\b/i.test(raw);
}

/** @see RFC 2152 */
export function decodeUtf7(text: string): string {
  return text.replace(SHIFTED, (_, digits: string) => {
    if (digits === "") return "+";
    // A single last digit does not hold a whole byte.
    const bytes = atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
    let decoded = "";
    for (let i = 0; i + 1 < bytes.length; i += 2) {
      decoded += String.fromCharCode((bytes.charCodeAt(i) << 8) | bytes.charCodeAt(i + 1));
    }
    return decoded;
  });
}
