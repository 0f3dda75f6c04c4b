// Reads a tarball strictly: anything unusual is an error, because npm might read it in another way.
import { gunzipSync } from "node:zlib";

const BLOCK = 512;
const FILE = "0";
const FOLDER = "5";
/** The names that files may have. npm and file systems read all of them in the same way. */
const NAME = /^package(?:\/(?!\.{1,2}(?:\/|$))[\w@+.-]+)*$/;

function textIn(header, start, length) {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString("latin1", 0, end < 0 ? length : end);
}

function numberIn(header, start, length) {
  const text = textIn(header, start, length).trim();
  if (!/^[0-7]+$/.test(text)) throw new Error("a number is malformed");
  return Number.parseInt(text, 8);
}

/** The sum of the bytes of a header, with blanks in place of the sum itself. */
function checksumOf(header) {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 0x20 : header[i];
  return sum;
}

/**
 * The files of a gzipped tarball: their bytes by name, without `package/`. Throws for anything but plain files and
 * folders under `package/`, and for a name that occurs twice.
 */
export function filesIn(gzipped) {
  const bytes = gunzipSync(gzipped);
  const files = new Map();
  const seen = new Set();
  let at = 0;
  for (; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (textIn(header, 257, 5) !== "ustar") throw new Error("a header is not in the format ustar");
    if (numberIn(header, 148, 8) !== checksumOf(header)) throw new Error("a header is damaged");
    const prefix = header[263] === 0x30 ? textIn(header, 345, 155) : "";
    const written = (prefix === "" ? "" : `${prefix}/`) + textIn(header, 0, 100);
    const type = textIn(header, 156, 1);
    const name = type === FOLDER ? written.replace(/\/$/, "") : written;
    if (type !== FILE && type !== FOLDER)
      throw new Error(`${JSON.stringify(name)} is no plain file`);
    if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not a name under package/`);
    // On some file systems, names that differ only in case are the same file.
    const folded = name.toLowerCase();
    if (seen.has(folded)) throw new Error(`${name} occurs twice`);
    seen.add(folded);
    const size = numberIn(header, 124, 12);
    const start = at + BLOCK;
    if (start + size > bytes.length || (type === FOLDER && size > 0)) throw new Error("it is cut");
    if (type === FILE)
      files.set(name.slice("package/".length), bytes.subarray(start, start + size));
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  if (bytes.subarray(at).some((byte) => byte !== 0)) throw new Error("something follows its end");
  return files;
}
