import { typeError } from "@x/sha256-prefix/type-error";
import { csv } from "../records/csv.ts";
import { jsonLines } from "../records/json.ts";
import { adblock } from "./adblock.ts";
import { dnsmasq } from "./dnsmasq.ts";
import type { FormatName, ListFormat } from "./format.ts";
import { hosts } from "./hosts.ts";
import { domains, hex, urls } from "./plain.ts";
import { rpz } from "./rpz.ts";
import { unbound } from "./unbound.ts";

/** All text formats. If a line has the shape of several formats, the last of them counts. */
export const FORMATS: readonly ListFormat[] = [
  ...[urls, domains, hosts, dnsmasq, unbound, rpz, adblock, csv, jsonLines, hex],
];

/** A format that can be read. */
export type SourceFormat = FormatName | "json" | "prefix-list";

const TITLES = Object.fromEntries([
  ...FORMATS.map(({ name, title }) => [name, title]),
  ["json", "one JSON document"],
  ["prefix-list", "a prefix list"],
]) as Readonly<Record<SourceFormat, string>>;

/** The names of all formats. */
export const SOURCE_FORMATS: readonly SourceFormat[] = Object.keys(TITLES) as SourceFormat[];

/** The format of a source, and the evidence for it. */
export interface SourceRecognition {
  readonly format: SourceFormat;
  /** The format in words: `"a hosts file"`. */
  readonly found: string;
  /** The evidence for the format: `"38 of 40 lines"`. */
  readonly evidence: string;
}

export function recognition(format: SourceFormat, evidence: string): SourceRecognition {
  return { format, found: TITLES[format], evidence };
}

/** A format that the caller named. */
export function namedFormat(format: SourceFormat): SourceRecognition {
  if (!Object.hasOwn(TITLES, format)) {
    throw typeError("format", `one of ${SOURCE_FORMATS.join(", ")}`, format);
  }
  return recognition(format, "the format was given");
}
