import { formatDuration } from "@x/command-line";
import type { SourceReport } from "../read-sources.ts";
import type { Source } from "../source.ts";
import { FetchProblem, problemOf } from "./fetch-problem.ts";
import { type Copy, newCopy, readNewContents, touchCopy, urlHash } from "./last-good-copy.ts";
import { receive } from "./receive.ts";
import { type Answer, askFor, MAX_IDLE, type Reach } from "./send-request.ts";
import type { SourceUrl } from "./source-url.ts";

/**
 * When a copy is this old, in milliseconds, its source is fetched again in full, because some servers answer 304
 * although the source has changed.
 */
const TRUSTED = 24 * 60 * 60 * 1000;

export interface FetchSettings {
  readonly reach: Reach;
  readonly maxBytes: number;
  /** The longest time that a fetch may take, in milliseconds. */
  readonly maxTime: number;
  /** Whether an answer with status 304 updates the time at which the copy was last checked. */
  readonly remembers: boolean;
}

export interface Fetching extends FetchSettings {
  /** Checks the received contents. Returns a report on their problems, or `null` if they may be published. */
  readonly check: (source: Source) => Promise<SourceReport | null>;
  /** The last good copy, or `null` if there is none. */
  readonly copy: Copy | null;
  /** The file for the next copy. */
  readonly file: string;
  readonly signal: AbortSignal;
}

/** Keeps the received contents as the new copy, if `check` accepts them. */
async function keepAnswer(
  { url, message }: Answer,
  { shown }: SourceUrl,
  { copy, file, maxBytes, check }: Fetching,
): Promise<Copy> {
  const next = await newCopy(file);
  try {
    const received = await receive(message, await next.begin(), maxBytes);
    if (received.sha256 !== copy?.sha256) {
      const report = await check({
        name: shown,
        pieces: () => readNewContents(next.file),
        size: async () => received.bytes,
        sha256: async () => received.sha256,
      });
      if (report !== null) {
        const what = received.bytes === 0 ? "an empty file" : "what cannot be published";
        throw new FetchProblem(`sent ${what}`, { report });
      }
      if (copy?.endsWithLineEnd && !received.endsWithLineEnd) {
        throw new FetchProblem(
          `ends in the middle of a line, unlike the last good copy; if that is right, remove ${copy.file}`,
        );
      }
    }
    return await next.keep({
      ...received,
      source: shown,
      answeredBy: urlHash(url),
      fetched: Date.now(),
      etag: message.headers.etag ?? null,
      lastModified: message.headers["last-modified"] ?? null,
    });
  } finally {
    message.destroy();
    await next.close();
  }
}

/**
 * Fetches a source if it has changed since the last good copy. Returns the copy that is now in use.
 *
 * @throws {FetchProblem} if the source cannot be fetched or its contents are not good. The last good copy stays as it
 * was.
 */
export async function fetchSource(source: SourceUrl, fetching: Fetching): Promise<Copy> {
  const { copy, reach, maxTime, signal, remembers } = fetching;
  const age = Date.now() - (copy?.fetched ?? 0);
  const aborter = new AbortController();
  const abort = (message: string) => aborter.abort(new FetchProblem(message));
  const end = () => abort("was not fetched, because this process is ending");
  const timer = setTimeout(
    () => abort(`took longer than ${formatDuration(maxTime)} (fetch.time)`),
    maxTime,
  );
  signal.addEventListener("abort", end);
  try {
    if (signal.aborted) end();
    const answer = await askFor(source, {
      reach,
      validatorsFor: (url) =>
        copy?.answeredBy === urlHash(url) && age >= 0 && age < TRUSTED ? copy : null,
      signal: aborter.signal,
      onIdle: () => abort(`sent nothing for ${formatDuration(MAX_IDLE)}`),
    });
    if (answer.message.statusCode !== 304) return await keepAnswer(answer, source, fetching);
    answer.message.destroy();
    if (!answer.isConditional || copy === null) {
      throw new FetchProblem("answered that nothing has changed, although it was not asked");
    }
    return remembers ? await touchCopy(copy, Date.now()) : copy;
  } catch (error) {
    throw problemOf(aborter.signal.aborted ? aborter.signal.reason : error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}
