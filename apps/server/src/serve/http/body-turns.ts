import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { networkOf } from "../fairness/client-network.ts";
import { fairQueue } from "../fairness/fair-queue.ts";
import { areTooShort, CUT_OFF_AFTER } from "./body-chunk-limit.ts";
import { MessageWithShortNames } from "./header-name-limit.ts";

/** After this many bytes of a body, its connection waits for a turn before more is read. Node reads 64 kB at a time. */
const TURN_BYTES = 2 ** 15;
const TURN_PIECES = 256;
/** How many connections are read in one turn of the event loop. A connection has at most one place in the queue. */
const TURNS = {
  atOnce: 4,
  perClient: Infinity,
  total: Infinity,
  refusal: () => new Error("unreachable"),
};

/**
 * Returns a message class that limits how much time the server spends on reading bodies.
 *
 * Clients take turns sending long bodies. Otherwise, the server would read everything that all connections have sent
 * before it answers a client. A client that sends a body in chunks that are too short is cut off.
 */
export function limitedMessages(): typeof IncomingMessage {
  const turns = fairQueue(TURNS);

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
