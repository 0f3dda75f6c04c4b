/** A table has more than this many slots for each key, so a free slot is never far away. */
const SLOTS_PER_KEY = 2;
const FREE = -1;

/**
 * A map from at most `capacity` keys, each an integer from 0 to 2⁵³ − 1, to numbers.
 *
 * A `Map` allocates an object for each number of this size, and the garbage collector keeps visiting all these objects.
 */
export class KeyMap {
  /** Each slot has a key and its value side by side, because both are needed at the same time. */
  readonly #slots: Float64Array;
  readonly #capacity: number;
  #used = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#slots = new Float64Array(2 * 2 ** Math.ceil(Math.log2(SLOTS_PER_KEY * capacity + 1)));
    this.#slots.fill(FREE);
  }

  get isFull(): boolean {
    return this.#used >= this.#capacity;
  }

  /** The index of the slot with the key, or of the free slot where it belongs. */
  #slotOf(key: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // `|` keeps only the low 32 bits of the key, which is enough here.
    let slot = (2 * (key | 0)) & mask;
    while (slots[slot] !== key && slots[slot] !== FREE) slot = (slot + 2) & mask;
    return slot;
  }

  get(key: number): number | undefined {
    const slot = this.#slotOf(key);
    return this.#slots[slot] === key ? this.#slots[slot + 1] : undefined;
  }

  /** Sets the value of a key. No key is added to a full map. */
  set(key: number, value: number): void {
    const slot = this.#slotOf(key);
    if (this.#slots[slot] !== key) {
      if (this.isFull) return;
      this.#slots[slot] = key;
      this.#used++;
    }
    this.#slots[slot + 1] = value;
  }

  clear(): void {
    this.#slots.fill(FREE);
    this.#used = 0;
  }
}
