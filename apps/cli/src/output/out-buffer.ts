const FIRST_PLAIN = 0x20;
const LAST_PLAIN = 0x7e;
const LINE_FEED = 0x0a;
const encoder = new TextEncoder();

/** Collects strings and bytes for writing, without converting bytes to strings. */
export interface OutBuffer {
  readonly addText: (text: string) => void;
  /**
   * Adds `label`, some bytes and a line feed, and returns `true`. Adds nothing and returns `false` unless the bytes are
   * printable ASCII.
   */
  readonly addPlainLine: (
    label: Uint8Array,
    bytes: Uint8Array,
    start: number,
    end: number,
  ) => boolean;
  /** Returns everything that was added, as a string if no bytes were added and as bytes otherwise. */
  readonly finish: () => string | Uint8Array<ArrayBuffer>;
}

/** @param expected the probable number of bytes that will be added with `addPlainLine`. */
export function outBuffer(expected: number): OutBuffer {
  let written: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let length = 0;
  /** The text that comes after the bytes in `written`. */
  let text = "";

  function makeRoom(more: number): void {
    if (written.length - length >= more) return;
    // The rest of this memory is never read, so it need not be zero. A slow buffer does not share its memory with other
    // buffers.
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * written.length, length + more, expected));
    larger.set(written.subarray(0, length));
    written = larger;
  }

  function writeText(): void {
    if (text === "") return;
    const bytes = encoder.encode(text);
    makeRoom(bytes.length);
    written.set(bytes, length);
    length += bytes.length;
    text = "";
  }

  return {
    addText(more) {
      text += more;
    },
    addPlainLine(label, bytes, start, end) {
      writeText();
      makeRoom(label.length + end - start + 1);
      let next = length;
      for (let i = 0; i < label.length; i++) written[next++] = label[i]!;
      for (let i = start; i < end; i++) {
        const byte = bytes[i]!;
        if (byte < FIRST_PLAIN || byte > LAST_PLAIN) return false;
        written[next++] = byte;
      }
      written[next++] = LINE_FEED;
      length = next;
      return true;
    },
    finish() {
      if (length === 0) return text;
      writeText();
      return written.subarray(0, length);
    },
  };
}
