/** Assigns numbers to distinct 64-bit keys: 0 to the first key that is added, 1 to the next new one, and so on. */
export interface KeyTable {
  numberOf(high: number, low: number): number;
  /** The number of distinct keys added so far. */
  size(): number;
}

const FIRST_SLOTS = 2 ** 10;
/** `2 ** 32` divided by the golden ratio: multiplying by it spreads out keys that are close together. */
const SPREAD = 0x9e3779b1;

/** Open addressing in typed arrays: 24 to 48 bytes per key. */
export function keyTable(): KeyTable {
  let highs = new Uint32Array(FIRST_SLOTS);
  let lows = new Uint32Array(FIRST_SLOTS);
  /** The number of each key, plus 1; 0 in free slots. */
  let numbers = new Uint32Array(FIRST_SLOTS);
  let size = 0;

  /** The slot of a key, or the free slot for a new one. */
  function slotOf(high: number, low: number): number {
    const mask = numbers.length - 1;
    const hash = Math.imul(Math.imul(high, SPREAD) ^ low, SPREAD);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (numbers[slot] !== 0 && (highs[slot] !== high || lows[slot] !== low)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  function put(slot: number, high: number, low: number, number: number): void {
    highs[slot] = high;
    lows[slot] = low;
    numbers[slot] = number;
  }

  function grow(): void {
    const old = { highs, lows, numbers };
    const slots = 2 * numbers.length;
    highs = new Uint32Array(slots);
    lows = new Uint32Array(slots);
    numbers = new Uint32Array(slots);
    for (const [i, number] of old.numbers.entries()) {
      if (number === 0) continue;
      const [high, low] = [old.highs[i]!, old.lows[i]!];
      put(slotOf(high, low), high, low, number);
    }
  }

  return {
    numberOf(high, low) {
      const slot = slotOf(high, low);
      const known = numbers[slot]!;
      if (known !== 0) return known - 1;
      put(slot, high, low, ++size);
      if (2 * size > numbers.length) grow();
      return size - 1;
    },
    size: () => size,
  };
}
