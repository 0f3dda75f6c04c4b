import type { SearchFacts, UpdateFacts } from "./answering.ts";

/** A finished answer to a public GET. */
export interface CachedAnswer {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** What says that a kept answer is still good; `null` where nobody asks. */
  readonly etag: string | null;
  /** Until when it may be kept; `null` for as long as no list changes. */
  readonly expires: number | null;
  readonly route: string;
  readonly updates: readonly UpdateFacts[];
  readonly search: SearchFacts | null;
}

const MAX_BYTES = 128 * 2 ** 20;
const MAX_ENTRIES = 20_000;

/** Answers that are functions of the request and of the lists' versions. It is emptied when a list changes. */
export interface AnswerCache {
  get(request: string): CachedAnswer | undefined;
  set(request: string, answer: CachedAnswer): void;
  clear(): void;
}

export function answerCache(): AnswerCache {
  const answers = new Map<string, CachedAnswer>();
  let bytes = 0;
  const sizeOf = (request: string, { body }: CachedAnswer) => request.length + body.length;
  return {
    get: (request) => answers.get(request),
    set(request, answer) {
      const size = sizeOf(request, answer);
      if (size > MAX_BYTES / 4) return;
      for (const [oldest, old] of answers) {
        if (bytes + size <= MAX_BYTES && answers.size < MAX_ENTRIES) break;
        answers.delete(oldest);
        bytes -= sizeOf(oldest, old);
      }
      const before = answers.get(request);
      if (before !== undefined) bytes -= sizeOf(request, before);
      answers.set(request, answer);
      bytes += size;
    },
    clear() {
      answers.clear();
      bytes = 0;
    },
  };
}
