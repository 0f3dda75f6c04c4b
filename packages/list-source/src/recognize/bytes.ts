import { prefixListFileKind } from "@x/prefix-list";
import { ListSourceError, type ListSourceErrorCode } from "../problems.ts";

/** The `found` of a `ListSourceError` for a Parquet file. */
export const PARQUET_FILE: string = "a Parquet file";

/** A signature in the first bytes, the error for such files, what they are, and the command that unpacks them to stdout. */
type Signature = readonly [RegExp, ListSourceErrorCode, found: string, unpack?: string];
const SIGNATURE_BYTES = 265;

/** The signatures of files that are not text. If one signature is the beginning of another, the longer one comes first. */
const SIGNATURES: readonly Signature[] = [
  [/^(?:\xff\xfe\0\0|\0\0\xfe\xff)/, "utf-16", "UTF-32 text"],
  [/^(?:\xff\xfe|\xfe\xff)/, "utf-16", "UTF-16 text"],
  [/^\x1f\x8b/, "compressed", "a gzip file", "gzip -dc"],
  [/^PK\x03\x04/, "compressed", "a ZIP archive or an Office document", "unzip -p"],
  [/^PK\x05\x06/, "compressed", "an empty ZIP archive"],
  [/^BZh.1AY&SY/s, "compressed", "a bzip2 file", "bzip2 -dc"],
  [/^\xfd7zXZ\0/, "compressed", "an xz file", "xz -dc"],
  [/^\x28\xb5\x2f\xfd/, "compressed", "a Zstandard file", "zstd -dc"],
  [/^7z\xbc\xaf\x27\x1c/, "compressed", "a 7z archive", "7z x -so"],
  [/^Rar!\x1a/, "compressed", "a RAR archive"],
  [/^.{257}ustar(?:\0| {2}\0)/s, "compressed", "a tar archive", "tar -xOf"],
  [/^\x89PNG\r\n\x1a/, "document", "a PNG image"],
  [/^\xff\xd8\xff/, "document", "a JPEG image"],
  [/^GIF8.a/s, "document", "a GIF image"],
  [/^RIFF.{4}WEBP/s, "document", "a WebP image"],
  [/^\0\0\x01\0/, "document", "an icon"],
  [/^(?:II\*\0|MM\0\*)/, "document", "a TIFF image"],
  [/^%PDF-/, "document", "a PDF document"],
  [/^\{\\rtf/, "document", "an RTF document"],
  [/^\xd0\xcf\x11\xe0/, "document", "an old Office document"],
  [/^SQLite format 3\0/, "document", "an SQLite database"],
  // Text could also begin with "PAR1". In a Parquet file, the type of the first field comes next.
  [/^PAR1\x15/, "document", PARQUET_FILE],
  [/^ARROW1\0\0/, "document", "an Arrow file"],
  [/^Obj\x01/, "document", "an Avro file"],
  [/^\x7fELF/, "binary", "a program"],
];

/** The maximum shares of control characters, and of bytes that are not UTF-8, in text. */
const MOST_CONTROLS = 0.02;
const MOST_BROKEN = 0.1;

/** Why the beginning of a source is not text; null when it is. */
export function binaryProblem(bytes: Uint8Array): ListSourceError | null {
  const start = String.fromCharCode(...bytes.subarray(0, SIGNATURE_BYTES));
  const [, code, found, command] = SIGNATURES.find(([signature]) => signature.test(start)) ?? [];
  if (code !== undefined) {
    const unpack = command && `text (unpack it first, for example with "${command}")`;
    return new ListSourceError(code, found!, unpack);
  }
  if (isWide(bytes)) return new ListSourceError("utf-16", "UTF-16 text");
  return isText(bytes) ? null : new ListSourceError("binary", "bytes that are not text");
}

/** Recognizes UTF-16 without a byte order mark, in which one of the two bytes of most characters is 0. */
function isWide(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 1024);
  if (start.length < 4) return false;
  const zeros = [0, 0];
  for (let i = 0; i < start.length; i++) if (start[i] === 0) zeros[i % 2]!++;
  const [even = 0, odd = 0] = zeros.map((count) => (2 * count) / start.length);
  return (odd > 0.6 && even < 0.1) || (even > 0.6 && odd < 0.1);
}

function isText(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const controls = text.match(/[\0-\x08\x0e-\x1f\x7f]/g)?.length ?? 0;
  // The last character may be incomplete, so it does not count.
  const broken = text.slice(0, -1).match(/\ufffd/g)?.length ?? 0;
  return controls <= MOST_CONTROLS * text.length && broken <= MOST_BROKEN * text.length;
}

/** The maximum number of control characters that may come from a few odd URLs. */
const FEW_CONTROLS = 32;

/** Whether bytes have so many control characters that they are not lines, even where lines may contain any bytes. */
export function hasNoLines(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) {
    if (byte <= 0x08 || (byte >= 0x0e && byte <= 0x1f) || byte === 0x7f) controls++;
  }
  return controls > Math.max(FEW_CONTROLS, MOST_CONTROLS * bytes.length);
}

/** Whether bytes begin like a prefix list. @throws ListSourceError for a difference between lists. */
export function isListFile(bytes: Uint8Array): boolean {
  const kind = prefixListFileKind(bytes);
  if (kind === "difference") {
    throw new ListSourceError("difference-file", "a difference between two prefix lists");
  }
  return kind === "list";
}
