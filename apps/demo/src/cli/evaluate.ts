import type { CanonError } from "@x/canon";
import { decodeUtf8 } from "../text/decode-utf8.ts";
import { lineTooLong } from "../text/line-too-long.ts";
import { printable } from "../text/printable.ts";
import { asText } from "./as-text.ts";
import { LISTED, NOT_A_URL } from "./exit-status.ts";
import { type Format, FRAMES } from "./format.ts";
import { toJson } from "./json.ts";
import { Refused } from "./refused.ts";

/** What a command is about. In lower case it is the member of a record that holds what was given. */
export type Noun = "URL" | "URI" | "URN" | "name";

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
  readonly toRecord: (url: string | Uint8Array) => object;
  /** Whole lines for people, without the last line break. `shown` is the URL, printable. */
  readonly toText: (shown: string) => string;
}

/** Why one URL is none: its code and its message. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** More members for the record of the error. */
  readonly facts?: object;
  /** Printable lines for people, below the message. */
  readonly details?: readonly string[];
}

/** Finds out about URLs: one answer for each, in their order. */
export type Evaluate = (urls: readonly (string | Uint8Array)[]) => Iterable<Finding | Refusal>;

/** Evaluates each URL by itself. @param evaluate throws a CanonError or {@link Refused} for what is not a URL. */
export function oneByOne(evaluate: (url: string | Uint8Array) => Finding): Evaluate {
  return function* (urls) {
    for (const url of urls) {
      try {
        yield evaluate(url);
      } catch (error) {
        // Anything else is a fault of ours and no property of the input.
        const isRefusal = error instanceof Refused || (error as CanonError).name === "CanonError";
        if (!isRefusal) throw error;
        yield error as CanonError | Refused;
      }
    }
  };
}

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
  /** `URL` unless given. */
  readonly noun?: Noun;
}

/** Which URL a record is about. Octets that are not UTF-8 are given in hex beside the text. */
function givenRecord(place: Place, url: string | Uint8Array, noun: Noun): object {
  const member = noun.toLowerCase();
  if (typeof url === "string") return { ...place, [member]: url };
  const text = decodeUtf8(url);
  if (text !== null) return { ...place, [member]: text };
  const octets = Buffer.from(url.buffer, url.byteOffset, url.byteLength);
  return { ...place, [member]: octets.toString("utf8"), octets: octets.toString("hex") };
}

/** What stands behind `error` in a record. */
export function refusalRecord({ code, message, facts }: Refusal): object {
  return { code, message, ...facts };
}

/** The lines for stderr. */
export function refusalText(place: Place, { message, details = [] }: Refusal): string {
  return [`urlhash: ${placeText(place)}: ${printable(message)}`, ...details, ""].join("\n");
}

function placeText(place: Place): string {
  return "line" in place ? `line ${place.line}` : `argument ${place.argument}`;
}

/** Finds out about URLs and writes down what was found; the same in the main thread and in workers. */
export function evaluateAll(
  given: readonly Given[],
  evaluate: Evaluate,
  { format, onlyListed, noun = "URL" }: EvaluateOptions,
): Omit<Block, "octets"> & { readonly out: string } {
  const { beforeOthers, after } = FRAMES[format];
  let out = "";
  let errors = "";
  let listed = 0;
  let notUrls = 0;
  const whole = given.filter(({ isTooLong }) => !isTooLong).map(({ url }) => url);
  const findings = evaluate(whole)[Symbol.iterator]();
  for (const one of given) {
    const finding = one.isTooLong
      ? lineTooLong(one.url)
      : (findings.next().value as Finding | Refusal);
    if ("code" in finding) {
      notUrls++;
      if (format === "text") errors += refusalText(one.place, finding);
      else {
        const record = givenRecord(one.place, asText(one.url), noun);
        out += beforeOthers + toJson({ ...record, error: refusalRecord(finding) }) + after;
      }
      continue;
    }
    if (finding.isListed) listed++;
    else if (onlyListed) continue;
    const url = asText(one.url);
    const record =
      format === "text"
        ? finding.toText(printable(url))
        : toJson({ ...givenRecord(one.place, url, noun), ...finding.toRecord(url) });
    out += beforeOthers + record + after;
  }
  return { out, errors, urls: given.length, listed, notUrls };
}

/** The bits of the exit status that a block stands for. */
export function statusOf({ listed, notUrls }: Pick<Block, "listed" | "notUrls">): number {
  return (listed > 0 ? LISTED : 0) | (notUrls > 0 ? NOT_A_URL : 0);
}
