import type { LargeBody } from "./http/large-answer.ts";
import type { CallFacts } from "./protocols/call.ts";

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
/** The approximate memory that the map needs for each answer, in bytes. */
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

/**
 * Creates a cache that drops its whole older half whenever its younger half is full. Answers that were used recently
 * are in the younger half. Deleting the oldest entries of a map one by one would be slow, because the map keeps a hole
 * for each deleted entry.
 */
export function answerCache(): AnswerCache {
  /** Hashes of targets, each at an index that is computed from the hash. */
  const asked = new Uint32Array(MAX_ASKED);
  /** Answers by target, and then by the headers that affect them. */
  let young: Answers = new Map();
  let old: Answers = new Map();
  /** The number of answers in the younger half, and their memory. */
  let [entries, used] = [0, 0];

  function keep(target: string, headers: string, answer: CachedAnswer): void {
    const { body } = answer;
    const ownBytes = body instanceof Uint8Array ? body.length : body.ownBytes;
    const bytes = target.length + headers.length + ownBytes + ENTRY_BYTES;
    if (bytes > MAX_BYTES / 4) return;
    if (used + bytes > MAX_BYTES / 2 || entries >= MAX_ENTRIES / 2) {
      old = young;
      young = new Map();
      [entries, used] = [0, 0];
    }
    const variants = young.get(target) ?? new Map<string, CachedAnswer>();
    young.set(target, variants.set(headers, answer));
    entries++;
    used += bytes;
  }

  return {
    get({ target, headers: all }) {
      const headers = headersOf(all);
      const answer = young.get(target)?.get(headers);
      if (answer !== undefined) return answer;
      const older = old.get(target)?.get(headers);
      if (older !== undefined) keep(target, headers, older);
      return older;
    },
    set({ target, headers: all }, answer) {
      const headers = headersOf(all);
      if (target.length + headers.length <= MAX_KEY_LENGTH) keep(target, headers, answer);
    },
    wasAsked(target) {
      const hash = hashOf(target);
      const index = hash % MAX_ASKED;
      const isSame = asked[index] === hash;
      asked[index] = hash;
      return isSame;
    },
    clear() {
      young = new Map();
      old = new Map();
      [entries, used] = [0, 0];
    },
  };
}

type Answers = Map<string, Map<string, CachedAnswer>>;

function headersOf(headers: CacheableRequest["headers"]): string {
  const override = headers.get("x-http-method-override") ?? "";
  return `${override}\n${headers.get("accept") ?? ""}\n${headers.get("content-type") ?? ""}\n${headers.get("x-goog-api-key") ?? ""}`;
}

/** A 32-bit FNV-1a hash, which is not cryptographic. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
