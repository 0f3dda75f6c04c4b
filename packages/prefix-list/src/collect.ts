import { isUint8Array, MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { MAX_LIST_BYTES } from "./check-facts.ts";
import type { RawHashes } from "./raw-hashes.ts";
import { typeError } from "./type-error.ts";

/** Prefixes of one length that are still being gathered: the memory doubles when it is full. */
interface Gathering {
  octets: Uint8Array;
  used: number;
}

interface Gathered {
  readonly bySize: Map<number, Gathering>;
  /** The octets of all of them. */
  total: number;
}

function isRawHashes(value: unknown): value is RawHashes {
  return (
    typeof value === "object" &&
    value !== null &&
    "prefixSize" in value &&
    typeof value.prefixSize === "number" &&
    "rawHashes" in value &&
    isUint8Array(value.rawHashes)
  );
}

/** Throws when `size` is no length of a hash prefix. */
export function checkPrefixBytes(what: string, size: number): void {
  if (typeof size !== "number") throw typeError(what, "a number", size);
  if (!Number.isInteger(size) || size < MIN_PREFIX_BYTES || size > MAX_PREFIX_BYTES) {
    throw new RangeError(
      `${what} must be from ${MIN_PREFIX_BYTES} to ${MAX_PREFIX_BYTES} octets long, not ${size}`,
    );
  }
}

function room(gathered: Gathered, size: number, more: number): Gathering {
  gathered.total += more;
  if (gathered.total > MAX_LIST_BYTES) {
    throw new RangeError(`the prefixes of a list must take at most ${MAX_LIST_BYTES} octets`);
  }
  let gathering = gathered.bySize.get(size);
  if (gathering === undefined) {
    gathering = { octets: new Uint8Array(more), used: 0 };
    gathered.bySize.set(size, gathering);
  } else if (gathering.used + more > gathering.octets.length) {
    const { octets, used } = gathering;
    gathering.octets = new Uint8Array(Math.max(2 * octets.length, used + more));
    gathering.octets.set(octets.subarray(0, used));
  }
  return gathering;
}

function gather(gathered: Gathered, batch: RawHashes, cut: number | null): void {
  const { prefixSize, rawHashes } = batch;
  checkPrefixBytes("a prefix", prefixSize);
  if (rawHashes.length % prefixSize !== 0) {
    throw new RangeError(
      `rawHashes must hold whole prefixes of ${prefixSize} octets, not ${rawHashes.length} octets`,
    );
  }
  const size = cut ?? prefixSize;
  if (size > prefixSize) {
    throw new RangeError(`a prefix of ${prefixSize} octets cannot be cut to ${size}`);
  }
  const count = rawHashes.length / prefixSize;
  const gathering = room(gathered, size, count * size);
  if (size === prefixSize) {
    gathering.octets.set(rawHashes, gathering.used);
    gathering.used += rawHashes.length;
    return;
  }
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < size; k++) {
      gathering.octets[gathering.used++] = rawHashes[i * prefixSize + k]!;
    }
  }
}

/**
 * The given prefixes in one piece of memory per length, in the order given, the shortest length first.
 *
 * @param cut the octets to keep of each, or `null` to keep all.
 */
export function collectPrefixes(
  prefixes: Iterable<Uint8Array | RawHashes>,
  cut: number | null,
): RawHashes[] {
  const gathered: Gathered = { bySize: new Map(), total: 0 };
  for (const prefix of prefixes) {
    if (isUint8Array(prefix)) {
      gather(gathered, { prefixSize: prefix.length, rawHashes: prefix }, cut);
    } else if (isRawHashes(prefix)) {
      gather(gathered, prefix, cut);
    } else {
      throw typeError("a prefix", "a Uint8Array or RawHashes", prefix);
    }
  }
  return [...gathered.bySize]
    .sort(([a], [b]) => a - b)
    .map(([prefixSize, { octets, used }]) => ({ prefixSize, rawHashes: octets.subarray(0, used) }));
}
