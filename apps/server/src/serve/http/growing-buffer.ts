/** The pieces of a body, joined as they arrive. */
export interface GrowingBuffer {
  push(piece: Buffer): void;
  /** The bytes that have arrived so far. */
  bytes(): Buffer;
}

/**
 * Joins pieces in one buffer that grows. An object for each piece would take far more memory than a piece of one byte.
 */
export function growingBuffer(): GrowingBuffer {
  let buffer = Buffer.alloc(0);
  let used = 0;
  return {
    push(piece) {
      const end = used + piece.length;
      if (end > buffer.length) {
        const longer = Buffer.allocUnsafeSlow(Math.max(end, 2 * buffer.length));
        buffer.copy(longer, 0, 0, used);
        buffer = longer;
      }
      piece.copy(buffer, used);
      used = end;
    },
    bytes: () => buffer.subarray(0, used),
  };
}
