import { type LineBlock, MAX_LINE_BYTES } from "@x/lookup/lines";
import type { Output } from "../../context.ts";
import type { HelperVerdict, VerdictSource } from "./verdict.ts";

/** The largest number of requests that are answered together. */
const MOST_TOGETHER = 1000;
/** The maximum number of characters in waiting requests. Reading pauses while there are more. */
const MOST_WAITING = 2 ** 22;

interface AnsweringOptions extends AnswerOptions {
  readonly verdictsOn: VerdictSource["verdictsOn"];
  readonly stdout: Output;
  /** Stops reading requests. */
  readonly stopReading: () => void;
}

function linesOf({ bytes }: LineBlock): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const lines = text.split("\n");
  // A blank line is a request, too: Squid expects one answer for each line.
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * Answers the requests in blocks of lines. Requests that arrive while others are being answered wait, and are then
 * answered together.
 *
 * @throws {ClosedPipe | Failure} when an answer cannot be written.
 */
export async function answerRequests(
  blocks: AsyncIterable<LineBlock>,
  { verdictsOn, tagsUnchecked, stdout, stopReading }: AnsweringOptions,
): Promise<void> {
  const waiting: SquidRequest[] = [];
  let waitingCharacters = 0;

  async function answersTo(requests: readonly SquidRequest[]): Promise<string> {
    const urls = requests.flatMap(({ url }) => url ?? []);
    const verdicts = urls.length === 0 ? [] : await verdictsOn(urls);
    let next = 0;
    return requests
      .map(({ channel, verdict }) =>
        squidAnswer(channel, verdict ?? (verdicts[next++] as HelperVerdict), { tagsUnchecked }),
      )
      .join("");
  }

  async function answerWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const requests = waiting.splice(0, MOST_TOGETHER);
      const answers = await answersTo(requests);
      await stdout.write(answers);
    }
    waitingCharacters = 0;
    answering = null;
  }

  let answering: Promise<void> | null = null;
  for await (const block of blocks) {
    for (const line of linesOf(block)) {
      waiting.push(readSquidLine(line));
      waitingCharacters += line.length;
    }
    if (answering === null && waiting.length > 0) {
      answering = answerWaiting();
      answering.catch(stopReading);
    }
    if (waitingCharacters > MOST_WAITING) await answering;
  }
  await answering;
}

/*
 * The protocol of Squid's external ACL helpers. A request is a line "ID URI -", and its answer is "ID OK", "ID ERR" or
 * "ID BH". Without `concurrency=`, there are no IDs, and answers are in the order of the requests.
 * https://wiki.squid-cache.org/Features/AddonHelpers
 */

/** A request: a URL to check, or the verdict on a line without a URL. */
type SquidRequest = {
  /** The ID and a space; empty when the request has no ID. */
  readonly channel: string;
} & (
  | { readonly url: string; readonly verdict: null }
  | { readonly url: null; readonly verdict: HelperVerdict }
);

/** Matches a request. Squid sends `-` in place of the arguments of the ACL, because there are none. */
const REQUEST = /^(\d{1,20} )?([!-~]+)(?: -)?$/;
const CHANNEL = /^\d{1,20} /;

/** Matches a URI with an authority. */
const WITH_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\//i;
const ESCAPED_BRACKETS = /^([^/]*\/\/)%5B([\da-f:.]*)%5D/i;
/** Matches the target of a tunnel, which is a host and a port. */
const TUNNEL = /^([^/?#@:]+|(?:\[|%5B)[\da-f:.]+(?:\]|%5D)):\d{1,5}$/i;

/**
 * Converts a URI from Squid to the URL to check, or `null` if there is none. Squid escapes characters that are not safe
 * in a URL, but leaves each "%" as the client sent it. This function therefore decodes only the brackets of an IPv6
 * address; canonicalization decodes the rest.
 */
function urlOf(uri: string): string | null {
  const host = TUNNEL.exec(uri)?.[1];
  const url = host === undefined ? uri : `https://${host}/`;
  return WITH_AUTHORITY.test(url) ? url.replace(ESCAPED_BRACKETS, "$1[$2]") : null;
}

/** Parses a line as a request. */
function readSquidLine(line: string): SquidRequest {
  const [, channel = "", uri] = (line.length <= MAX_LINE_BYTES && REQUEST.exec(line)) || [];
  if (uri === undefined) {
    const reason = "the helper expects lines with one field: the format %URI";
    const found = CHANNEL.exec(line)?.[0] ?? "";
    return { channel: found, url: null, verdict: { kind: "unchecked", reason } };
  }
  const url = urlOf(uri);
  if (url !== null) return { channel, url, verdict: null };
  return { channel, url: null, verdict: { kind: "unreadable", reason: "not a URL with a host" } };
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

interface AnswerOptions {
  /**
   * Whether to answer unchecked requests with a tag, so that Squid's rules decide. Otherwise, the answer is BH, and
   * Squid denies the request.
   */
  readonly tagsUnchecked: boolean;
}

/** Formats the answer to a request, with the line ending. */
function squidAnswer(
  channel: string,
  verdict: HelperVerdict,
  { tagsUnchecked }: AnswerOptions,
): string {
  if (verdict.kind === "not-listed") return `${channel}ERR\n`;
  const message = `message=${quoted(verdict.reason)}`;
  if (verdict.kind === "unchecked" && !tagsUnchecked) return `${channel}BH ${message}\n`;
  return `${channel}OK tag=${verdict.kind} ${message}\n`;
}
