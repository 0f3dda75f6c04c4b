import type { Range, RangeStart } from "./read-range.ts";

/*
 * Threads take ranges of a file one after the other without asking the main thread, which may answer late on a
 * busy machine.
 */

/** The start of the next range of a file, in memory that threads share. */
export interface SharedCursor {
  /** {@link LOCK}, {@link TAKEN} and {@link WRITTEN}. */
  readonly counts: Int32Array;
  /** `start` and `linesBefore` of the next range. Only the thread that has the lock may use it. */
  readonly next: Float64Array;
}

/** 1 while a thread takes a range. */
const LOCK = 0;
/** The number of ranges that were taken. */
const TAKEN = 1;
/** The number of ranges that were written. */
const WRITTEN = 2;

export function sharedCursor(): SharedCursor {
  return {
    counts: new Int32Array(new SharedArrayBuffer(12)),
    next: new Float64Array(new SharedArrayBuffer(16)),
  };
}

export interface TakenRange extends Range {
  /** The index of the range in the file. */
  readonly number: number;
  readonly start: number;
}

/**
 * Takes the next range; `null` at the end of the file. It blocks the thread while another one takes a range, and
 * while `maxOpen` ranges are taken but not written.
 *
 * @param read reads the range that starts there.
 */
export function takeRange(
  { counts, next }: SharedCursor,
  size: number,
  maxOpen: number,
  read: (from: RangeStart) => Range,
): TakenRange | null {
  while (Atomics.compareExchange(counts, LOCK, 0, 1) !== 0) Atomics.wait(counts, LOCK, 1);
  try {
    const [start, linesBefore] = [next[0]!, next[1]!];
    if (start >= size) return null;
    const number = counts[TAKEN]!;
    for (;;) {
      const written = Atomics.load(counts, WRITTEN);
      if (number - written < maxOpen) break;
      Atomics.wait(counts, WRITTEN, written);
    }
    const range = read({ start, linesBefore });
    counts[TAKEN] = number + 1;
    next[0] = range.next.start;
    next[1] = range.next.linesBefore;
    return { ...range, number, start };
  } finally {
    Atomics.store(counts, LOCK, 0);
    Atomics.notify(counts, LOCK, 1);
  }
}

/** Call this when a range was written, so that another one may be taken. */
export function markWritten({ counts }: SharedCursor): void {
  Atomics.add(counts, WRITTEN, 1);
  Atomics.notify(counts, WRITTEN);
}
