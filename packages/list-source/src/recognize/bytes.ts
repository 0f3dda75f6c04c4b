import { prefixListFileKind } from "@x/prefix-list";
import { ListSourceError, type ListSourceErrorCode } from "../error.ts";

interface Signature {
  /** `null` stands for any byte. */
  readonly bytes: readonly (number | null)[];
  readonly at?: number;
  readonly code: ListSourceErrorCode;
  readonly found: string;
  /** The command that unpacks a file with this signature to stdout. */
  readonly unpack?: string;
}

/** The `found` of a `ListSourceError` for a Parquet file. */
export const PARQUET_FILE: string = "a Parquet file";

const ANY = [null, null, null, null];
const ascii = (text: string): number[] => Array.from(text, (c) => c.charCodeAt(0));

/**
 * The signatures of files that are not text. If one signature is the beginning of another, the longer one comes first.
 */
const SIGNATURES: readonly Signature[] = [
  { bytes: [0xff, 0xfe, 0, 0], code: "utf-16", found: "UTF-32 text" },
  { bytes: [0, 0, 0xfe, 0xff], code: "utf-16", found: "UTF-32 text" },
  { bytes: [0xff, 0xfe], code: "utf-16", found: "UTF-16 text" },
  { bytes: [0xfe, 0xff], code: "utf-16", found: "UTF-16 text" },
  { bytes: [0x1f, 0x8b], code: "compressed", found: "a gzip file", unpack: "gzip -dc" },
  {
    bytes: [...ascii("PK"), 3, 4],
    code: "compressed",
    found: "a ZIP archive or an Office document",
    unpack: "unzip -p",
  },
  { bytes: [...ascii("PK"), 5, 6], code: "compressed", found: "an empty ZIP archive" },
  {
    bytes: [...ascii("BZh"), null, ...ascii("1AY&SY")],
    code: "compressed",
    found: "a bzip2 file",
    unpack: "bzip2 -dc",
  },
  { bytes: [0xfd, ...ascii("7zXZ"), 0], code: "compressed", found: "an xz file", unpack: "xz -dc" },
  {
    bytes: [0x28, 0xb5, 0x2f, 0xfd],
    code: "compressed",
    found: "a Zstandard file",
    unpack: "zstd -dc",
  },
  {
    bytes: [...ascii("7z"), 0xbc, 0xaf, 0x27, 0x1c],
    code: "compressed",
    found: "a 7z archive",
    unpack: "7z x -so",
  },
  { bytes: [...ascii("Rar!"), 0x1a], code: "compressed", found: "a RAR archive" },
  {
    bytes: [...ascii("ustar"), 0],
    at: 257,
    code: "compressed",
    found: "a tar archive",
    unpack: "tar -xOf",
  },
  {
    bytes: [...ascii("ustar  "), 0],
    at: 257,
    code: "compressed",
    found: "a tar archive",
    unpack: "tar -xOf",
  },
  { bytes: [0x89, ...ascii("PNG\r\n"), 0x1a], code: "document", found: "a PNG image" },
  { bytes: [0xff, 0xd8, 0xff], code: "document", found: "a JPEG image" },
  { bytes: [...ascii("GIF8"), null, ...ascii("a")], code: "document", found: "a GIF image" },
  {
    bytes: [...ascii("RIFF"), ...ANY, ...ascii("WEBP")],
    code: "document",
    found: "a WebP image",
  },
  { bytes: [0, 0, 1, 0], code: "document", found: "an icon" },
  { bytes: [...ascii("II*"), 0], code: "document", found: "a TIFF image" },
  { bytes: [...ascii("MM"), 0, 0x2a], code: "document", found: "a TIFF image" },
  { bytes: ascii("%PDF-"), code: "document", found: "a PDF document" },
  { bytes: ascii("{\\rtf"), code: "document", found: "an RTF document" },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], code: "document", found: "an old Office document" },
  { bytes: [...ascii("SQLite format 3"), 0], code: "document", found: "an SQLite database" },
  // Text could also begin with "PAR1". In a Parquet file, the type of the first field comes next.
  { bytes: [...ascii("PAR1"), 0x15], code: "document", found: PARQUET_FILE },
  { bytes: [...ascii("ARROW1"), 0, 0], code: "document", found: "an Arrow file" },
  { bytes: [...ascii("Obj"), 1], code: "document", found: "an Avro file" },
  { bytes: [0x7f, ...ascii("ELF")], code: "binary", found: "a program" },
];

/** The expected input for each error, in some cases with advice. */
const EXPECTED: { readonly [code in ListSourceErrorCode]?: string } = {
  "utf-16": "text in UTF-8 (convert it first, for example with iconv)",
  compressed: "text (unpack it first)",
  document: "text",
  binary: "text in UTF-8",
  "difference-file": "a list (apply the difference to its list first)",
  "list-unreadable": "a complete, undamaged list of a supported version",
  "list-too-large": "a smaller list, or a higher limit",
  html: "a list, not a page",
  "carriage-returns": "lines that end in LF or CRLF (convert them first)",
};

/** The maximum shares of control characters, and of bytes that are not UTF-8, in text. */
const MOST_CONTROLS = 0.02;
const MOST_BROKEN = 0.1;

/** Why the beginning of a source is not text; null when it is. */
export function binaryProblem(bytes: Uint8Array): ListSourceError | null {
  const found: Omit<Signature, "bytes"> | null =
    SIGNATURES.find((signature) =>
      signature.bytes.every((byte, i) => byte === null || bytes[(signature.at ?? 0) + i] === byte),
    ) ??
    wideText(bytes) ??
    noText(bytes);
  if (found === null) return null;
  if (found.unpack === undefined) return unreadable(found.code, found.found);
  const expected = `text (unpack it first, for example with "${found.unpack}")`;
  return new ListSourceError(found.code, found.found, expected);
}

export function unreadable(
  code: ListSourceErrorCode,
  found: string,
  cause?: unknown,
): ListSourceError {
  return new ListSourceError(code, found, EXPECTED[code] ?? "text in UTF-8", cause);
}

/** Recognizes UTF-16 without a byte order mark, in which one of the two bytes of most characters is 0. */
function wideText(bytes: Uint8Array): { code: "utf-16"; found: string } | null {
  const start = bytes.subarray(0, 1024);
  if (start.length < 4) return null;
  const zeros = [0, 0];
  for (let i = 0; i < start.length; i++) if (start[i] === 0) zeros[i % 2]!++;
  const [even = 0, odd = 0] = zeros.map((count) => (2 * count) / start.length);
  const isWide = (odd > 0.6 && even < 0.1) || (even > 0.6 && odd < 0.1);
  return isWide ? { code: "utf-16", found: "UTF-16 text" } : null;
}

function noText(bytes: Uint8Array): { code: "binary"; found: string } | null {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const controls = text.match(/[\0-\x08\x0e-\x1f\x7f]/g)?.length ?? 0;
  // The last character may be incomplete, so it does not count.
  const broken = text.slice(0, -1).match(/\ufffd/g)?.length ?? 0;
  const isText = controls <= MOST_CONTROLS * text.length && broken <= MOST_BROKEN * text.length;
  return isText ? null : { code: "binary", found: "bytes that are not text" };
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
    throw unreadable("difference-file", "a difference between two prefix lists");
  }
  return kind === "list";
}
