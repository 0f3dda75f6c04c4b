/*
 * Writes the values of protobuf messages from the last byte to the first, because the length of a nested message comes
 * before the message itself.
 */

const FIRST_LENGTH = 64;

export class BackwardWriter {
  readonly #largeBytes: number;
  #bytes = new Uint8Array(FIRST_LENGTH);
  /** The index of the first written byte. */
  #start = FIRST_LENGTH;
  /** The parts that follow `#bytes`, the last one first. */
  readonly #after: Uint8Array[] = [];
  #lengthAfter = 0;

  /** @param largeBytes values of at least this many bytes become parts of their own and are not copied. */
  constructor(largeBytes: number = Infinity) {
    this.#largeBytes = largeBytes;
  }

  /** The number of bytes written so far. */
  get length(): number {
    return this.#bytes.length - this.#start + this.#lengthAfter;
  }

  /** Returns all bytes written, if there are no large values. Do not use the writer afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(this.#start);
  }

  /** Returns all bytes written, with each large value as a part. Do not use the writer afterwards. */
  finishParts(): Uint8Array[] {
    this.#endPart();
    return this.#after.reverse();
  }

  /** Ends the part that is being written. */
  #endPart(): void {
    const part = this.finish();
    if (part.length === 0) return;
    this.#after.push(part);
    this.#lengthAfter += part.length;
    this.#start = this.#bytes.length;
  }

  #makeRoom(count: number): void {
    if (this.#start >= count) return;
    const length = this.#bytes.length - this.#start;
    const bytes = new Uint8Array(Math.max(2 * this.#bytes.length, length + count));
    bytes.set(this.#bytes.subarray(this.#start), bytes.length - length);
    this.#bytes = bytes;
    this.#start = bytes.length - length;
  }

  raw(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#start -= bytes.length;
    this.#bytes.set(bytes, this.#start);
  }

  /** Writes an integer from 0 to 2³² − 1. */
  varint(value: number): void {
    const count =
      value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
    this.#makeRoom(count);
    this.#start -= count;
    let rest = value;
    let index = this.#start;
    while (rest >= 0x80) {
      this.#bytes[index++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[index] = rest;
  }

  /** Writes a safe integer. Negative integers take ten bytes. */
  int64(value: number): void {
    if (value >= 0 && value <= 0xffff_ffff) this.varint(value);
    else this.uint64(BigInt.asUintN(64, BigInt(value)));
  }

  uint64(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    while (rest >= 0x80n) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.raw(Uint8Array.from(bytes));
  }

  fixed64(value: bigint): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, value, true);
    this.raw(bytes);
  }

  /** Writes bytes, preceded by their length. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length < this.#largeBytes) this.raw(bytes);
    else {
      this.#endPart();
      this.#after.push(bytes);
      this.#lengthAfter += bytes.length;
    }
    this.varint(bytes.length);
  }
}
