import type { LineBlock } from "@x/lookup/lines";
import type { Output } from "../../output-stream.ts";
import {
  type AnswerOptions,
  readSquidLine,
  type SquidRequest,
  squidAnswer,
} from "./squid-lines.ts";
import type { HelperVerdict, VerdictSource } from "./verdict.ts";

/** The largest number of requests that are answered together. */
const MOST_TOGETHER = 1000;
/** The maximum number of characters in waiting requests. Reading pauses while there are more. */
const MOST_WAITING = 2 ** 22;

export interface AnsweringOptions extends AnswerOptions {
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
