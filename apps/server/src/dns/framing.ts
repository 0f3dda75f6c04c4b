/** A message with its length, as it is sent over TCP (RFC 1035 §4.2.2). */
export function withLength(message: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(2 + message.length);
  bytes.writeUInt16BE(message.length, 0);
  message.copy(bytes, 2);
  return bytes;
}

/**
 * Returns a function that takes the pieces of a TCP stream, and calls `onMessage` with each message in them. The function
 * returns `false` if a message is longer than `maxBytes`; the stream is then of no use any more.
 */
export function messagesIn(
  maxBytes: number,
  onMessage: (message: Buffer) => void,
): (piece: Buffer) => boolean {
  /** The first byte of a length; -1 if it has not arrived. */
  let first = -1;
  /** The message that is arriving, and how much of it has arrived. */
  let message: Buffer | null = null;
  let filled = 0;

  return (piece) => {
    for (let at = 0; at < piece.length; ) {
      if (message === null) {
        const byte = piece[at++]!;
        if (first < 0) {
          first = byte;
          continue;
        }
        const length = (first << 8) | byte;
        if (length > maxBytes) return false;
        first = -1;
        filled = 0;
        message = Buffer.allocUnsafe(length);
      } else {
        const copied = piece.copy(message, filled, at);
        at += copied;
        filled += copied;
      }
      if (filled === message.length) {
        const whole = message;
        message = null;
        onMessage(whole);
      }
    }
    return true;
  };
}
