import { describeProblem } from "@x/canon";
import type { InnerUrl } from "@x/links/unwrap";
import { foreignLine, type LineRecognition } from "@x/list-source";
import type { HttpProblem } from "../http/reply.ts";
import type { AskedVerdict } from "./lookup-inside.ts";
import { MAX_URL_BYTES } from "./lookup-urls.ts";

/** Returns the answer for an input as JSON, and counts the answer. */
export function answerInput(
  input: string | Uint8Array,
  verdict: AskedVerdict,
  counts: LookupCounts,
): string {
  const foreign = foreignIn(input, verdict);
  if (foreign === null) {
    countVerdict(counts, verdict);
    return verdictJson(input, verdict);
  }
  counts.asked++;
  counts.refused++;
  return foreignInputJson(input, foreign);
}

/**
 * The format that an input seems to have instead of a URL; `null` if the input may be a URL, or its verdict says more.
 */
function foreignIn(
  input: string | Uint8Array,
  { matches, missing, error }: AskedVerdict,
): LineRecognition | null {
  if (matches.length > 0 || missing !== null) return null;
  // The format that the input seems to have explains more than these problems, except an invalid host of a text.
  const isHost = error?.code === "host-invalid" && typeof input !== "string";
  return error === null || error.code === "url-unclear" || isHost ? foreignLine(input) : null;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const ROW_ERRORS = {
  "line-blank": "The line is blank.",
  "line-too-long": `Expected a URL of at most ${MAX_URL_BYTES} bytes.`,
  "row-malformed": 'Expected {"url": "http://…"} in UTF-8.',
} as const;

const TOO_MANY_INSIDE = "The URL may have more URLs inside than are looked up.";

/** The code of the error for a row of a stream that has no URL. */
export type RowErrorCode = keyof typeof ROW_ERRORS;

/** The JSON of a verdict: `url`, and either `listed` with `matches` or the `error`. `more` counts the other matches. */
export function verdictJson(
  url: string | Uint8Array,
  { matches, more, error, missing, closed, disguises }: AskedVerdict,
): string {
  const text = textJson(url);
  if (missing !== null) {
    const { list, problem } = missing;
    const reason = JSON.stringify({ code: "list-unavailable", message: problem.message, list });
    return `{"url":${text},"error":${reason}}`;
  }
  if (error?.code === "unwrap-limit") {
    return `{"url":${text},"error":${errorJson(error.code, TOO_MANY_INSIDE)}}`;
  }
  if (error !== null) {
    const isTooLong = error.code === "too-long";
    const message = isTooLong ? ROW_ERRORS["line-too-long"] : describeProblem(url, error).message;
    return `{"url":${text},"error":${errorJson(error.code, message)}}`;
  }
  const unopened = closed === undefined ? "" : `,"closed":${JSON.stringify(closed)}`;
  if (matches.length === 0) {
    const misleads = disguises === undefined ? "" : `,"disguises":${JSON.stringify(disguises)}`;
    return `{"url":${text},"listed":false,"matches":[]${unopened}${misleads}}`;
  }
  const found = matches.map(({ list: { name }, expression, reading, inner }) => ({
    list: name,
    expression,
    reading,
    ...(inner !== undefined && { inside: insideJson(inner) }),
  }));
  const others = more === 0 ? "" : `,"more":${more}`;
  return `{"url":${text},"listed":true,"matches":${JSON.stringify(found)}${others}${unopened}}`;
}

/** The URL inside, and the wrappers through which it was found, the outermost first. */
function insideJson({ url, certainty, ...inner }: InnerUrl) {
  const through: (string | null)[] = [];
  for (
    let each: Pick<InnerUrl, "wrapper" | "inside"> | null = inner;
    each !== null;
    each = each.inside
  ) {
    through.unshift(each.wrapper);
  }
  return { url, certainty, through };
}

function textJson(url: string | Uint8Array): string {
  return JSON.stringify(typeof url === "string" ? url : decoder.decode(url));
}

/** The verdict on an input that is not listed and does not look like a URL. */
function foreignInputJson(input: string | Uint8Array, found: LineRecognition): string {
  const message = `Expected a URL. This looks like ${found.found}.`;
  return `{"url":${textJson(input)},"error":${errorJson(found.code, message)}}`;
}

/** The verdict on a row of a stream that has no URL. */
export function rowErrorJson(code: RowErrorCode): string {
  return `{"url":null,"error":${errorJson(code, ROW_ERRORS[code])}}`;
}

/** The last row of a stream that ends early. */
export function failureJson({ status, message }: Pick<HttpProblem, "status" | "message">): string {
  return `{"failed":${JSON.stringify({ code: status, message })}}`;
}

function errorJson(code: string, message: string): string {
  return JSON.stringify({ code, message });
}

/** The counts of a lookup that the log and the metrics may contain. */
export interface LookupCounts extends Record<string, unknown> {
  asked: number;
  found: number;
  /** Inputs that are not URLs or that exceed a limit. */
  refused: number;
  /** URLs without a verdict, because a list gave no answer. */
  unanswered: number;
  /** Set when a stream ended early. */
  failed?: true;
}

export const newCounts = (): LookupCounts => ({ asked: 0, found: 0, refused: 0, unanswered: 0 });

export function countVerdict(
  counts: LookupCounts,
  { matches, error, missing }: AskedVerdict,
): void {
  counts.asked++;
  if (matches.length > 0) counts.found++;
  if (error !== null) counts.refused++;
  if (missing !== null) counts.unanswered++;
}
