import { MessageWithShortNames } from "./short-header-names.ts";

/** So many pieces of a body may be of any length. The others must have so many bytes on average. */
const FREE_PIECES = 1024;
const MIN_PIECE_BYTES = 8;

/**
 * A message whose body may not come in chunks of a few bytes: its client is cut off, because Node takes longer for a chunk
 * than for a kilobyte.
 */
export class MessageWithCountedPieces extends MessageWithShortNames {
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
