// Finds the ends of answers in the bytes of a connection.

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = "\r\n0\r\n\r\n";

/** Counts the answers on one connection, and keeps only their heads. */
export class Answers {
  bytes = 0;
  /** The status of the answer that is being read, or 0 between answers. */
  status = 0;
  lastStatus = 0;
  #head = Buffer.alloc(0);
  /** How many bytes of the current answer are still missing, or -1 for a chunked answer. */
  #missing = 0;
  #tail = "";

  /** Adds bytes, and returns how many answers ended in them. */
  push(data) {
    this.bytes += data.length;
    let ended = 0;
    let at = 0;
    while (at < data.length) {
      if (this.status === 0) {
        const before = this.#head.length;
        this.#head = Buffer.concat([this.#head, data.subarray(at, at + 2 ** 16)]);
        const end = this.#head.indexOf(HEAD_END);
        if (end < 0) return ended;
        const head = this.#head.toString("latin1", 0, end);
        at += end + HEAD_END.length - before;
        this.#head = Buffer.alloc(0);
        this.status = Number(head.slice(9, 12));
        this.#tail = "\r\n";
        const length = /^content-length: (\d+)/im.exec(head)?.[1];
        this.#missing = length === undefined ? -1 : Number(length);
        if (this.status === 100 || this.status === 304) this.#missing = 0;
      } else if (this.#missing < 0) {
        // A chunked body ends at the last received byte, because the next request is sent only after the answer.
        this.#tail = (this.#tail + data.toString("latin1", Math.max(at, data.length - 7))).slice(
          -7,
        );
        at = data.length;
        if (this.#tail === LAST_CHUNK) this.#missing = 0;
        else continue;
      } else {
        const taken = Math.min(this.#missing, data.length - at);
        this.#missing -= taken;
        at += taken;
      }
      if (this.#missing !== 0) continue;
      if (this.status !== 100) ended++;
      this.lastStatus = this.status;
      this.status = 0;
    }
    return ended;
  }
}
