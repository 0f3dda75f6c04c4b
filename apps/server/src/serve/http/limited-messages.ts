import { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FairQueue, networkOf } from "../fairness.ts";

/** After this many bytes of a body, its connection waits for a turn before more is read. Node reads 64 kB at a time. */
const TURN_BYTES = 2 ** 15;
const TURN_PIECES = 256;

/**
 * Returns a message class that limits how much time the server spends on reading bodies.
 *
 * Clients take turns sending long bodies. Otherwise, the server would read everything that all connections have sent
 * before it answers a client. A client that sends a body in chunks that are too short is cut off.
 */
export function limitedMessages(turns: FairQueue): typeof IncomingMessage {
  return class LimitedMessage extends MessageWithShortNames {
    #pieces = 0;
    #bytes = 0;
    /** The pieces and bytes that have arrived since the last turn. */
    #turnPieces = 0;
    #turnBytes = 0;
    #isCutOff = false;

    override push(piece: Uint8Array | null): boolean {
      // The parser still passes on data that it has already read.
      if (this.destroyed) return true;
      if (this.#isCutOff) {
        // Otherwise, Node would read the next request on the connection.
        if (piece === null) this.destroy();
        return false;
      }
      if (piece === null) return super.push(piece);
      this.#pieces++;
      this.#bytes += piece.length;
      if (areTooShort(this.#pieces, this.#bytes)) {
        this.#isCutOff = true;
        setTimeout(() => this.destroy(), CUT_OFF_AFTER);
        return false;
      }
      this.#turnPieces++;
      this.#turnBytes += piece.length;
      // If `push` returns `false`, Node reads nothing more until it calls `_read`.
      return super.push(piece) && !this.#mustWait();
    }

    override _read(size: number): void {
      if (this.#isCutOff) return;
      if (this.#mustWait()) this.#readInTurn(size);
      else super._read(size);
    }

    async #readInTurn(size: number): Promise<void> {
      await turns.run(networkOf(this.socket.remoteAddress ?? ""), () => nextTurn());
      this.#turnPieces = 0;
      this.#turnBytes = 0;
      if (!this.complete && !this.#isCutOff) super._read(size);
    }

    #mustWait(): boolean {
      return this.#turnBytes >= TURN_BYTES || this.#turnPieces >= TURN_PIECES;
    }
  };
}

/*
 * A body may not come in chunks of a few bytes, because each chunk costs Node more time than a kilobyte does. A client
 * that sends many short chunks is cut off after a delay. Without the delay, the client would connect again at once and
 * send the same body.
 */

/**
 * A body may have this many pieces of any length. For each further piece, it must have {@link MIN_PIECE_BYTES} bytes.
 */
const FREE_PIECES = 1024;
const MIN_PIECE_BYTES = 8;
/** If a client sends shorter pieces, no more is read from it, and it is cut off after this many milliseconds. */
const CUT_OFF_AFTER: number = 1000;

/** Whether the pieces of a body that have arrived so far are too short. */
function areTooShort(pieces: number, bytes: number): boolean {
  return bytes < MIN_PIECE_BYTES * (pieces - FREE_PIECES);
}

/** The maximum length of a header name, in characters. The server reads no header with a longer name. */
const MAX_NAME_LENGTH = 256;

const HEADERS = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, "headers")!;

/**
 * A message whose long header names are truncated.
 *
 * Node makes each name the key of an object, and V8 keeps all keys in one table. V8 computes the hash of a string of
 * more than 16 383 characters from its length alone, so each name of that length would be compared with all the others.
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
