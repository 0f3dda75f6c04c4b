import { setImmediate as nextTurn } from "node:timers/promises";
import type { BodyPart } from "@x/wire";

/** A body that is sent piece by piece. All answers with the same list share its large parts. */
export interface LargeBody {
  readonly parts: readonly BodyPart[];
  /** The length in bytes, as sent. */
  readonly length: number;
  /** The number of bytes that this answer does not share with others. */
  readonly ownBytes: number;
}

/** Bodies up to this many bytes are sent as a whole. */
export const MAX_WHOLE_BYTES: number = 64 * 2 ** 10;
/** How many bytes are copied at a time: a multiple of three, so that pieces of base64 fit together. */
export const COPIED_BYTES: number = 96 * 2 ** 10;
/** The maximum length of a copied piece in bytes, when sent as base64. */
export const MAX_PIECE_BYTES: number = (COPIED_BYTES / 3) * 4;
/** How many bytes are sent at a time without a copy. Each piece needs a turn of the event loop. */
const SHARED_BYTES = 2 ** 21;
/** A piece of fewer bytes, such as the start of an answer before its list, gets no turn of its own. */
const SHORT_BYTES = 2 ** 14;
/** The approximate memory of an answer without its pieces, in bytes: a request, a response and a stream. */
const EXCHANGE_BYTES = 16 * 2 ** 10;

/** The length of a part in bytes, as sent. */
function lengthOf(part: BodyPart): number {
  return "base64" in part ? 4 * Math.ceil(part.base64.length / 3) : part.length;
}

/** The buffers that several answers share. */
const common = new WeakSet<ArrayBufferLike>();

/** Marks a buffer that many answers share, so that it does not count towards the memory of a single answer. */
export function markCommon(buffer: ArrayBufferLike): void {
  common.add(buffer);
}

/** Whether answers share these bytes, which then belong to a list or to an update for many clients. */
function isShared({ buffer }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer || common.has(buffer);
}

function ownBytesOf(part: BodyPart): number {
  const bytes = "base64" in part ? part.base64 : part;
  return isShared(bytes) ? 0 : bytes.length;
}

export function largeBodyOf(parts: readonly BodyPart[]): LargeBody {
  const [length, ownBytes] = [lengthOf, ownBytesOf].map((of) =>
    parts.reduce((sum, part) => sum + of(part), 0),
  );
  return { parts, length: length!, ownBytes: ownBytes! };
}

interface Sending {
  /** The number of bytes of a part that become one piece. */
  readonly step: number;
  /** How much memory the answer may take until its client has read it, in bytes. */
  readonly held: number;
}

/** Chooses the size of pieces. Bytes are sent without a copy, except over TLS and as base64. */
export function sendingOf({ parts, ownBytes }: LargeBody, isEncrypted: boolean): Sending {
  const hasCopies = isEncrypted || parts.some((part) => "base64" in part);
  return hasCopies
    ? { step: COPIED_BYTES, held: MAX_PIECE_BYTES + ownBytes }
    : { step: SHARED_BYTES, held: EXCHANGE_BYTES + ownBytes };
}

/** Joins parts into a body, which is one piece if it is short. */
export function bodyOf(parts: readonly BodyPart[]): Uint8Array | LargeBody {
  const [first] = parts;
  const large = largeBodyOf(parts);
  if (large.length > MAX_WHOLE_BYTES) return large;
  return parts.length === 1 && first instanceof Uint8Array ? first : wholeBody(large);
}

/** A large body in one piece. */
export function wholeBody({ parts }: Pick<LargeBody, "parts">): Uint8Array {
  return Buffer.concat([...pieces(parts, COPIED_BYTES)]);
}

/** Yields the pieces of a body. Base64 is made only when it is needed. */
export function* pieces(
  parts: readonly BodyPart[],
  step: number,
): Generator<Uint8Array, void, undefined> {
  for (const part of parts) {
    const isBase64 = "base64" in part;
    const bytes = isBase64 ? part.base64 : part;
    for (let at = 0; at < bytes.length; at += step) {
      const piece = bytes.subarray(at, at + step);
      yield isBase64 ? Buffer.from(textOf(piece), "latin1") : piece;
    }
  }
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/**
 * Yields the pieces of a body, each after the client has read the previous one. A short piece is sent with the next
 * one.
 */
export async function* readPieces(
  { parts }: LargeBody,
  step: number,
  onRead: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let unread = 0;
  for (const piece of pieces(parts, step)) {
    yield piece;
    unread += piece.length;
    if (unread < SHORT_BYTES) continue;
    unread = 0;
    // Otherwise, a fast reader would take one piece after another, and other clients would have to wait.
    await nextTurn();
    onRead();
  }
}
