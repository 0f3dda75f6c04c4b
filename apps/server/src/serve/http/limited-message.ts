import { IncomingMessage } from "node:http";

/** Longer than the name of any header that is read. */
const MAX_NAME_LENGTH = 256;

const HEADERS = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, "headers")!;

/**
 * A message whose headers have short names: longer ones are cut, and no longer mean anything.
 *
 * Node makes each name the key of an object, and V8 keeps all keys in one table. It computes the hash of a string of more
 * than 16 383 characters from its length alone, so that each such name would be compared with all the others.
 */
class MessageWithShortNames extends IncomingMessage {
  areNamesShort = false;
}

Object.defineProperty(MessageWithShortNames.prototype, "headers", {
  ...HEADERS,
  get(this: MessageWithShortNames) {
    if (!this.areNamesShort) {
      this.areNamesShort = true;
      const { rawHeaders } = this;
      for (let i = 0; i < rawHeaders.length; i += 2) {
        const name = rawHeaders[i]!;
        if (name.length > MAX_NAME_LENGTH) rawHeaders[i] = name.slice(0, MAX_NAME_LENGTH);
      }
    }
    return HEADERS.get!.call(this);
  },
});

/** This many pieces of a body may have any length. The others must have this many bytes on average. */
const FREE_PIECES = 1024;
const MIN_PIECE_BYTES = 8;

/**
 * A message whose body may not come in chunks of a few bytes: its client is cut off, because Node takes longer for a chunk
 * than for a kilobyte.
 */
export class LimitedMessage extends MessageWithShortNames {
  #pieces = 0;
  #bytes = 0;

  override push(piece: Uint8Array | null): boolean {
    // What the parser still finds in what it has read.
    if (this.destroyed) return true;
    if (piece === null) return super.push(piece);
    this.#pieces++;
    this.#bytes += piece.length;
    if (this.#bytes >= MIN_PIECE_BYTES * (this.#pieces - FREE_PIECES)) return super.push(piece);
    this.destroy();
    return true;
  }
}
