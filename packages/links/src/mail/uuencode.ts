/** A uuencoded file in a text. */
export interface EncodedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** POSIX.1-2024, uuencode: the permissions and the name of a file. */
const BEGIN = /^begin(-base64)? [0-7]{3,4} (\S[^\r\n]{0,254})\r?\n/gm;
const BASE64_LINE = /^[A-Za-z\d+/]{1,512}={0,2}$/;

/**
 * The uuencoded files in a text, which old mail programs sent without MIME. Each follows a line such as `begin 644
 * page.html`, up to the first line that is not encoded.
 */
export function uuencodedFiles(text: string): EncodedFile[] {
  const files: EncodedFile[] = [];
  const begin = new RegExp(BEGIN);
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const [, base64, name] = match;
    const pieces: Uint8Array[] = [];
    let length = 0;
    let at = begin.lastIndex;
    while (at < text.length) {
      const end = text.indexOf("\n", at);
      const line = text.slice(at, end === -1 ? text.length : end).replace(/\r$/, "");
      const decoded = base64 === undefined ? decodeLine(line) : decodeBase64Line(line);
      if (decoded === null) break;
      pieces.push(decoded);
      length += decoded.length;
      at = end === -1 ? text.length : end + 1;
    }
    begin.lastIndex = at;
    const bytes = new Uint8Array(length);
    let filled = 0;
    for (const piece of pieces) {
      bytes.set(piece, filled);
      filled += piece.length;
    }
    files.push({ name: name!.trimEnd(), bytes });
  }
  return files;
}

/** The bytes of a line, whose first character encodes their number; `null` if the line is not uuencoded. */
function decodeLine(line: string): Uint8Array | null {
  const length = valueAt(line, 0);
  // Trailing blanks, which stand for zeros, may be missing.
  if (!/^[!-M][ -`]{0,84}$/.test(line)) return null;
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const at = 1 + 4 * Math.floor(i / 3);
    const [left, right] = [valueAt(line, at + (i % 3)), valueAt(line, at + (i % 3) + 1)];
    const shift = 2 * ((i % 3) + 1);
    bytes[i] = (left << shift) | (right >> (6 - shift));
  }
  return bytes;
}

/** The six bits that a character stands for. */
function valueAt(line: string, index: number): number {
  return index < line.length ? (line.charCodeAt(index) - 32) & 63 : 0;
}

function decodeBase64Line(line: string): Uint8Array | null {
  if (!BASE64_LINE.test(line)) return null;
  const digits = line.replace(/=+$/, "");
  if (digits.length % 4 === 1) return null;
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}
