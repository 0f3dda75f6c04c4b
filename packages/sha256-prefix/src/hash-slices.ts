import { FULL_HASH_BYTES } from "./digest.ts";
import type { FullHash } from "./full-hash.ts";
import { createHashBatch, type HashBatch } from "./hash-batch.ts";
import type { HashEngine } from "./hash-engine.ts";
import { isOctets } from "./octets.ts";
import { typeError } from "./type-error.ts";

/** Up to here calls share one batch an engine; for larger ones a batch is made, so that no memory is kept. */
const SHARED_OCTETS = 2 ** 16;
const SHARED_SLICES = 2 ** 10;

const shared = new Map<HashEngine | "auto", HashBatch>();

function batchFor(octets: number, slices: number, engine: HashEngine | "auto"): HashBatch {
  if (octets > SHARED_OCTETS || slices > SHARED_SLICES) {
    return createHashBatch({ octets, slices, engine });
  }
  let batch = shared.get(engine);
  if (batch === undefined) {
    batch = createHashBatch({ octets: SHARED_OCTETS, slices: SHARED_SLICES, engine });
    shared.set(engine, batch);
  }
  return batch;
}

/**
 * The full hash of each slice of one octet buffer, in the order of the slices.
 *
 * The plain form of {@link createHashBatch}: it copies the octets and allocates the hashes, which own their
 * memory. Slices may overlap and may be empty.
 *
 * @param starts for each slice the place in `octets` of its first octet.
 * @param ends for each slice the place in `octets` after its last octet.
 * @throws {RangeError} when `starts` and `ends` differ in length, or a slice does not lie within `octets`.
 * @throws {TypeError} when `octets` is not a `Uint8Array`, or `engine` none of the three names.
 * @throws {Error} when `engine` is `"webassembly"` and that cannot be used here; its `cause` is why.
 * @example
 * ```ts
 * import { fullHash, hashSlices } from "@x/sha256-prefix";
 *
 * const octets = new TextEncoder().encode("b.example/1/");
 * hashSlices(octets, [0, 0], [12, 10]); // → [fullHash("b.example/1/"), fullHash("b.example/")]
 * ```
 * @see FIPS 180-4 §6.2
 */
export function hashSlices(
  octets: Uint8Array,
  starts: ArrayLike<number>,
  ends: ArrayLike<number>,
  options: { readonly engine?: HashEngine | "auto" | undefined } = {},
): FullHash[] {
  if (!isOctets(octets)) throw typeError("octets", "a Uint8Array", octets);
  const { engine = "auto" } = options;
  const count = starts.length;
  if (ends.length !== count) {
    throw new RangeError(`there are ${count} starts, but ${ends.length} ends`);
  }
  const batch = batchFor(octets.length, count, engine);
  batch.octets.set(octets);
  for (let i = 0; i < count; i++) {
    // Checked here, since the batch sees 32-bit numbers, and room that is larger than `octets`.
    const [start, end] = [starts[i]!, ends[i]!];
    const whole = Number.isInteger(start) && Number.isInteger(end);
    if (!whole || start < 0 || start > end || end > octets.length) {
      throw new RangeError(
        `slice ${i}, from ${start} to ${end}, does not lie within ${octets.length} octets`,
      );
    }
    batch.starts[i] = start;
    batch.ends[i] = end;
  }
  batch.run(count);
  return Array.from(
    { length: count },
    (_, i) => batch.hashes.slice(i * FULL_HASH_BYTES, (i + 1) * FULL_HASH_BYTES) as FullHash,
  );
}
