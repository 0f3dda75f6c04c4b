import type { LargeBody } from "./http/large-answer.ts";
import type { CallFacts } from "./protocols/call.ts";
import { hashText } from "./updates/failed-updates.ts";

/** An answer to an API request, ready to be sent. */
export interface CachedAnswer {
  readonly body: Uint8Array | LargeBody;
  readonly headers: Readonly<Record<string, string>>;
  /** The entity tag for `If-None-Match`; `null` for answers to searches and for answers that are not shared. */
  readonly etag: string | null;
  readonly route: string;
  readonly facts: CallFacts;
  /** The facts for the log, as the members of a JSON object. */
  readonly logged: string;
}

/** The parts of a GET request that, together with the lists, determine its answer. */
interface CacheableRequest {
  readonly target: string;
  readonly headers: { get(name: string): string | null };
}

/** The maximum memory for all answers and their keys, in bytes. */
const MAX_BYTES = 128 * 2 ** 20;
const MAX_ENTRIES = 20_000;
/**
 * The maximum length of an answer's key (the request's target and headers), in characters. Real keys are shorter. The
 * limit is far below 16 383 characters: V8 computes the hash of a longer string from its length alone, so all longer
 * keys of the same length would share one slot of a map.
 */
const MAX_KEY_LENGTH = 8192;
/** The approximate memory that the maps need for each answer, in bytes. */
const ENTRY_BYTES = 512;
/** The maximum number of targets that {@link AnswerCache.wasAsked} remembers. */
const MAX_ASKED = 2 ** 15;

/**
 * A cache of answers that depend only on the request and the versions of the lists. Clear the cache when a list
 * changes.
 */
interface AnswerCache {
  get(request: CacheableRequest): CachedAnswer | undefined;
  set(request: CacheableRequest, answer: CachedAnswer): void;
  /** Remembers a target, and returns whether it was probably requested recently. */
  wasAsked(target: string): boolean;
  clear(): void;
}

/** One half of the cache, which holds answers by target and then by the headers that affect them. */
class Generation {
  readonly #answers = new Map<string, Map<string, CachedAnswer>>();
  entries = 0;
  bytes = 0;

  get(target: string, headers: string): CachedAnswer | undefined {
    return this.#answers.get(target)?.get(headers);
  }

  set(target: string, headers: string, answer: CachedAnswer): void {
    const variants = this.#answers.get(target) ?? new Map<string, CachedAnswer>();
    this.#answers.set(target, variants.set(headers, answer));
    this.entries++;
    this.bytes += bytesOf(target, headers, answer);
  }
}

function bytesOf(target: string, headers: string, { body }: CachedAnswer): number {
  const ownBytes = body instanceof Uint8Array ? body.length : body.ownBytes;
  return target.length + headers.length + ownBytes + ENTRY_BYTES;
}

/**
 * Creates a cache that drops its whole older half whenever its younger half is full. Answers that were used recently
 * are in the younger half. Deleting the oldest entries of a map one by one would be slow, because the map keeps a hole
 * for each deleted entry.
 */
export function answerCache(): AnswerCache {
  /** Hashes of targets, each at an index that is computed from the hash. */
  const asked = new Uint32Array(MAX_ASKED);
  let young = new Generation();
  let old = new Generation();
  function keep(target: string, headers: string, answer: CachedAnswer): void {
    const bytes = bytesOf(target, headers, answer);
    if (bytes > MAX_BYTES / 4) return;
    if (young.bytes + bytes > MAX_BYTES / 2 || young.entries >= MAX_ENTRIES / 2) {
      old = young;
      young = new Generation();
    }
    young.set(target, headers, answer);
  }
  return {
    get({ target, headers: all }) {
      const headers = headersOf(all);
      if (target.length + headers.length > MAX_KEY_LENGTH) return undefined;
      const answer = young.get(target, headers);
      if (answer !== undefined) return answer;
      const older = old.get(target, headers);
      if (older !== undefined) keep(target, headers, older);
      return older;
    },
    set({ target, headers: all }, answer) {
      const headers = headersOf(all);
      if (target.length + headers.length > MAX_KEY_LENGTH) return;
      keep(target, headers, answer);
    },
    wasAsked(target) {
      const hash = hashText(target);
      const index = hash % MAX_ASKED;
      const isSame = asked[index] === hash;
      asked[index] = hash;
      return isSame;
    },
    clear() {
      young = new Generation();
      old = new Generation();
    },
  };
}

function headersOf(headers: CacheableRequest["headers"]): string {
  const override = headers.get("x-http-method-override") ?? "";
  return `${override}\n${headers.get("accept") ?? ""}\n${headers.get("content-type") ?? ""}\n${headers.get("x-goog-api-key") ?? ""}`;
}
