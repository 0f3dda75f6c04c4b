/** The pieces of a body, joined as they arrive. */
export interface GrowingBuffer {
  push(piece: Buffer): void;
  /** What has arrived so far. */
  bytes(): Buffer;
}

/** One buffer that grows. An object for each piece would take far more memory than a one-byte piece itself. */
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
