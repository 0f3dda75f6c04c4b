import type { CanonError } from "@x/canon";
import { LISTED, NOT_A_URL } from "./exit-status.ts";
import { type Format, FRAMES } from "./format.ts";
import { toJson } from "./json.ts";
import { MAX_LINE_BYTES } from "./lines.ts";
import { decodeUtf8, printable, printableInShort } from "./printable.ts";

/** Where a URL came from: the line of a file or of stdin, or the argument, from 1. */
export type Place = { readonly line: number } | { readonly argument: number };

/** One URL as it was given. */
export interface Given {
  readonly place: Place;
  readonly url: string | Uint8Array;
  /** It is longer than is taken, and `url` is its beginning. */
  readonly isTooLong: boolean;
}

/** What a command has to say of one URL. */
export interface Finding {
  readonly isListed: boolean;
  /** The members of its JSON object, after those that say which URL it is. */
  readonly toRecord: () => object;
  /** Whole lines for people, without the last line break. `url` is printable. */
  readonly toText: (url: string) => string;
}

/** Finds out about one URL. @throws CanonError */
export type Evaluate = (url: string | Uint8Array) => Finding;

/** What came out of some URLs, in their order, as it is written. */
export interface Block {
  /** Records, framed as if others stood before them. */
  readonly out: string | Uint8Array;
  /** The lines for stderr. */
  readonly errors: string;
  readonly urls: number;
  readonly listed: number;
  readonly notUrls: number;
  /** How much was read for it. */
  readonly octets: number;
}

export interface EvaluateOptions {
  readonly format: Format;
  /** Writes nothing of URLs that are not listed. */
  readonly onlyListed: boolean;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

function refusalOf(error: unknown): Refusal {
  const { name, code, message } = error as CanonError;
  // Anything else is a fault of ours and no property of the input.
  if (name !== "CanonError") throw error;
  return { code, message };
}

/** Which URL a record is about. Octets that are not UTF-8 are given in hex beside the text. */
function givenRecord({ place, url }: Given): object {
  if (typeof url === "string") return { ...place, url };
  const text = decodeUtf8(url);
  if (text !== null) return { ...place, url: text };
  const octets = Buffer.from(url.buffer, url.byteOffset, url.byteLength);
  return { ...place, url: octets.toString("utf8"), octets: octets.toString("hex") };
}

function placeText(place: Place): string {
  return "line" in place ? `line ${place.line}` : `argument ${place.argument}`;
}

/** Finds out about URLs and writes down what was found; the same in the main thread and in workers. */
export function evaluateAll(
  given: readonly Given[],
  evaluate: Evaluate,
  { format, onlyListed }: EvaluateOptions,
): Omit<Block, "octets"> & { readonly out: string } {
  const { beforeOthers, after } = FRAMES[format];
  let out = "";
  let errors = "";
  let listed = 0;
  let notUrls = 0;
  for (const one of given) {
    let finding: Finding | Refusal;
    try {
      finding = one.isTooLong ? tooLong(one) : evaluate(one.url);
    } catch (error) {
      finding = refusalOf(error);
    }
    if ("code" in finding) {
      notUrls++;
      if (format === "text")
        errors += `urlhash: ${placeText(one.place)}: ${printable(finding.message)}\n`;
      else out += beforeOthers + toJson({ ...givenRecord(one), error: finding }) + after;
      continue;
    }
    if (finding.isListed) listed++;
    else if (onlyListed) continue;
    const record =
      format === "text"
        ? finding.toText(printable(one.url))
        : toJson({ ...givenRecord(one), ...finding.toRecord() });
    out += beforeOthers + record + after;
  }
  return { out, errors, urls: given.length, listed, notUrls };
}

function tooLong({ url }: Given): Refusal {
  const message = `"${printableInShort(url)}…" is longer than ${MAX_LINE_BYTES} octets`;
  return { code: "line-too-long", message };
}

/** The bits of the exit status that a block stands for. */
export function statusOf({ listed, notUrls }: Pick<Block, "listed" | "notUrls">): number {
  return (listed > 0 ? LISTED : 0) | (notUrls > 0 ? NOT_A_URL : 0);
}
