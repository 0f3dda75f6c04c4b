import { typeError } from "../type-error.ts";

/** The formats that can be read, each with a description. */
const FORMATS = {
  urls: "URLs, hosts or expressions, one per line",
  domains: "domains, one per line",
  hosts: "a hosts file",
  dnsmasq: "dnsmasq options",
  rpz: "a response policy zone",
  adblock: "Adblock filter rules",
  csv: "a table (CSV)",
  "json-lines": "JSON objects, one per line",
  hex: "hashes in hexadecimal",
  base64: "hashes in base64",
  "prefix-list": "a prefix list",
} as const;

/** A format that can be read. */
export type SourceFormat = keyof typeof FORMATS;

/** The names of all formats. */
export const SOURCE_FORMATS: readonly SourceFormat[] = Object.keys(FORMATS) as SourceFormat[];

/** The format of a source, and the evidence for it. */
export interface SourceRecognition {
  readonly format: SourceFormat;
  /** The format in words: `"a hosts file"`. */
  readonly found: string;
  /** The evidence for it: `"38 of 40 lines"`. */
  readonly evidence: string;
}

/** A recognized format, with its description. */
export function recognition(format: SourceFormat, evidence: string): SourceRecognition {
  return { format, found: FORMATS[format], evidence };
}

/** A format that the caller named. */
export function namedFormat(format: SourceFormat): SourceRecognition {
  if (!Object.hasOwn(FORMATS, format)) {
    throw typeError("format", `one of ${SOURCE_FORMATS.join(", ")}`, format);
  }
  return recognition(format, "it was named");
}
