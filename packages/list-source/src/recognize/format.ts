import { typeError } from "../type-error.ts";

/** The formats that are read, each in words. */
const FORMATS = {
  urls: "URLs, hosts or expressions, one a line",
  domains: "domains, one a line",
  hosts: "a hosts file",
  dnsmasq: "dnsmasq options",
  rpz: "a response policy zone",
  adblock: "Adblock filter rules",
  csv: "a table (CSV)",
  "json-lines": "JSON objects, one a line",
  hex: "hashes in hexadecimal",
  base64: "hashes in base64",
  "prefix-list": "a prefix list",
} as const;

/** A format that is read. */
export type SourceFormat = keyof typeof FORMATS;

/** The names of all formats. */
export const SOURCE_FORMATS: readonly SourceFormat[] = Object.keys(FORMATS) as SourceFormat[];

/** The format of a source, and why it was taken for that. */
export interface SourceRecognition {
  readonly format: SourceFormat;
  /** The format in words: `"a hosts file"`. */
  readonly found: string;
  /** What speaks for it: `"38 of 40 lines"`. */
  readonly evidence: string;
}

/** The recognition of a format, in words. */
export function recognition(format: SourceFormat, evidence: string): SourceRecognition {
  return { format, found: FORMATS[format], evidence };
}

/** The recognition of a format that was named. */
export function namedFormat(format: SourceFormat): SourceRecognition {
  if (!Object.hasOwn(FORMATS, format)) {
    throw typeError("format", `one of ${SOURCE_FORMATS.join(", ")}`, format);
  }
  return recognition(format, "it was named");
}
