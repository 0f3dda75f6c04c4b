import { printable, printableJson } from "@x/explain/printable";
import type { Context } from "../context.ts";
import { statusOf } from "../exit-status.ts";
import { type Format, FRAMES } from "./format.ts";
import { sizeOf, startProgress } from "./progress.ts";
import {
  type Block,
  type Finding,
  type InputPart,
  type LinkPlace,
  linkPlaceText,
  type Place,
  type RefusedInput,
} from "./results.ts";

/** Collects results in a block, in the order of their inputs. */
export interface BlockWriter {
  /** Writes the result for an input. */
  readonly add: (place: Place, input: string | Uint8Array, finding: Finding) => void;
  /**
   * Writes a line of text for an input that is not listed: `label` and the input. Returns `false`, and writes nothing,
   * when the input is not printable ASCII, or the output is not text.
   */
  readonly addPlain: (label: Uint8Array, bytes: Uint8Array, start: number, end: number) => boolean;
  /** Writes the reason why an input is refused. */
  readonly refuse: (place: Place, refused: RefusedInput, toRecord: () => object) => void;
  /** Returns the block. `inputs` also counts inputs without output. */
  readonly finish: (inputs: number, bytes: number) => Block;
}

/** The number of bytes to reserve for the label and the line end of each line. */
const LABEL_BYTES = 16;

/** The options for writing results. */
export interface BlockOptions {
  readonly format: Format;
  /** Leaves out inputs that are neither listed, refused, unsure nor disguised. */
  readonly onlyListed?: boolean | undefined;
}

export function blockWriter(
  part: InputPart,
  { format, onlyListed = false }: BlockOptions,
): BlockWriter {
  const { beforeOthers, after } = FRAMES[format];
  const out = outBuffer("place" in part ? 0 : part.bytes.length + LABEL_BYTES * part.lines);
  let [errors, listed, refusals, unsure, disguised, unfinished] = ["", 0, 0, 0, 0, 0];
  const addJson = (place: Place, record: object): void => {
    out.addText(beforeOthers + printableJson(Object.assign({}, place, record)) + after);
  };
  return {
    add(place, input, finding) {
      const { isListed, isUnsure = false, isDisguised = false, isUnfinished = false } = finding;
      const { toRecord, toText, warning } = finding;
      if (warning) errors += `urlhash: warning: ${placeText(place)}: ${warning}\n`;
      if (isUnfinished) unfinished++;
      if (isListed) listed++;
      else if (isUnsure) unsure++;
      else if (isDisguised) disguised++;
      else if (onlyListed) return;
      if (format === "text") out.addText(beforeOthers + toText(printable(input)) + after);
      else addJson(place, toRecord());
    },
    addPlain: (label, bytes, start, end) =>
      format === "text" && out.addPlainLine(label, bytes, start, end),
    refuse(place, refused, toRecord) {
      refusals++;
      if (format === "text") errors += problemText(place, refused);
      else addJson(place, toRecord());
    },
    finish: (inputs, bytes) => {
      const counts = { inputs, listed, refused: refusals, unsure, disguised, unfinished };
      return { out: out.finish(), errors, ...counts, bytes };
    },
  };
}

/** Lines for stderr about an input that is refused. */
export function problemText(
  place: Place,
  { error, text = printable(error.message) }: RefusedInput,
): string {
  return `urlhash: ${placeText(place)}: ${text}\n`;
}

function numberOf(place: Exclude<Place, LinkPlace>): number {
  return Object.values(place)[0]!;
}

function placeText(place: Place): string {
  if ("column" in place) return linkPlaceText(place);
  return `${Object.keys(place)[0]} ${numberOf(place)}`;
}

const FIRST_PLAIN = 0x20;
const LAST_PLAIN = 0x7e;
const LINE_FEED = 0x0a;
const encoder = new TextEncoder();

/** Collects strings and bytes for writing, without converting bytes to strings. */
interface OutBuffer {
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
function outBuffer(expected: number): OutBuffer {
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

/** The options for writing blocks. */
export interface OutputOptions {
  readonly format: Format;
  /** The file that is read, for a progress line; `null` when nothing is read. */
  readonly file: string | null;
  /** Text to write before the first result and after the last one, if there are results. */
  readonly before?: string | undefined;
  readonly after?: (() => string) | undefined;
  /** Called before each block is written. */
  readonly onBlock?: (block: Block) => void;
}

/**
 * Writes blocks as they arrive, but only as fast as the reader reads. Adds the status of each block to the exit status.
 */
export async function writeBlocks(
  blocks: AsyncIterable<Block>,
  { format, file, before = "", after = () => "", onBlock = () => {} }: OutputOptions,
  { io, stdout, stderr, addStatus }: Context,
): Promise<void> {
  const { beforeFirst, beforeOthers, end, endOfNone } = FRAMES[format];
  const progress = startProgress(file === null ? null : await sizeOf(file, io), io);
  let isFirst = true;
  try {
    for await (const block of blocks) {
      const { out, errors } = block;
      addStatus(statusOf(block));
      onBlock(block);
      progress.advance(block);
      if (isFirst && out.length > 0) {
        await stdout.write(before + beforeFirst);
        await stdout.write(out.slice(beforeOthers.length));
        isFirst = false;
      } else {
        await stdout.write(out);
      }
      await stderr.write(errors);
    }
    await stdout.write(isFirst ? endOfNone : end + after());
  } finally {
    progress.stop();
  }
}
