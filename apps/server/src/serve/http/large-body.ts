import { setImmediate as nextTurn } from "node:timers/promises";
import type { BodyPart } from "@x/wire";
import { HttpProblem } from "./http-problem.ts";

/** A body that is sent piece by piece. Its large parts belong to all answers with the same list. */
export interface LargeBody {
  readonly parts: readonly BodyPart[];
  /** In bytes, as it is sent. */
  readonly length: number;
  /** How many bytes of it belong to this answer alone. */
  readonly ownBytes: number;
}

/** Bodies up to this many bytes are sent as a whole. */
export const MAX_WHOLE_BYTES: number = 64 * 2 ** 10;
/** How many bytes of a part become a piece. A multiple of three, so that pieces of base64 fit together. */
const PIECE_BYTES = 96 * 2 ** 10;
/** How many bytes are handed to a connection at a time. */
export const MAX_PIECE_BYTES: number = (PIECE_BYTES / 3) * 4;

/** About how much memory an answer takes besides its pieces, in bytes: for a request, a response and a stream. */
const EXCHANGE_BYTES = 16 * 2 ** 10;

/** How long a client may read at any speed, in milliseconds. */
const GRACE = 60_000;
/** How many bytes a client must read in a millisecond after that: 16 kB/s. */
const MIN_SPEED = 16;

/** How many bytes are sent for a part. */
function lengthOf(part: BodyPart): number {
  return "base64" in part ? 4 * Math.ceil(part.base64.length / 3) : part.length;
}

/** Memory that answers have in common. */
const common = new WeakSet<ArrayBufferLike>();

/** Call this with memory that many answers have in common: it does not count as any answer's own. */
export function markCommon(buffer: ArrayBufferLike): void {
  common.add(buffer);
}

/** Whether answers have these bytes in common: they belong to a list, or to an update that was made for everyone. */
function isShared({ buffer }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer || common.has(buffer);
}

function ownBytesOf(part: BodyPart): number {
  const bytes = "base64" in part ? part.base64 : part;
  return isShared(bytes) ? 0 : bytes.length;
}

/** A large body of these parts. */
export function largeBodyOf(parts: readonly BodyPart[]): LargeBody {
  const [length, ownBytes] = [lengthOf, ownBytesOf].map((of) =>
    parts.reduce((sum, part) => sum + of(part), 0),
  );
  return { parts, length: length!, ownBytes: ownBytes! };
}

/**
 * How much memory an answer may take while its client reads it, in bytes. Bytes are sent without a copy, unless they
 * are encrypted. Base64 is made for each answer.
 */
export function heldBytes({ parts, ownBytes }: LargeBody, isEncrypted: boolean): number {
  const hasCopies = isEncrypted || parts.some((part) => "base64" in part);
  return (hasCopies ? MAX_PIECE_BYTES : EXCHANGE_BYTES) + ownBytes;
}

/** The body of these parts; in one piece if it is short. */
export function bodyOf(parts: readonly BodyPart[]): Uint8Array | LargeBody {
  const [first] = parts;
  const large = largeBodyOf(parts);
  if (large.length > MAX_WHOLE_BYTES) return large;
  return parts.length === 1 && first instanceof Uint8Array ? first : wholeBody(large);
}

/** A large body in one piece. */
export function wholeBody({ parts }: Pick<LargeBody, "parts">): Uint8Array {
  return Buffer.concat([...pieces(parts)]);
}

/** Yields the pieces of a body. Base64 is made only when it is needed. */
export function* pieces(parts: readonly BodyPart[]): Generator<Uint8Array, void, undefined> {
  for (const part of parts) {
    const isBase64 = "base64" in part;
    const bytes = isBase64 ? part.base64 : part;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      yield isBase64 ? Buffer.from(textOf(piece), "latin1") : piece;
    }
  }
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/**
 * Yields the pieces of a body, each after the client has read the previous one. A client that reads too slowly is cut
 * off, because the list that it reads stays in memory even if there is a new version.
 */
export async function* readPieces(
  { parts }: LargeBody,
  onRead: () => void,
  now: () => number = () => performance.now(),
): AsyncGenerator<Uint8Array, void, undefined> {
  const start = now();
  let sent = 0;
  for (const piece of pieces(parts)) {
    yield piece;
    // Otherwise, a fast reader would take one piece after another, and other clients would have to wait.
    await nextTurn();
    onRead();
    sent += piece.length;
    if (now() - start > GRACE + sent / MIN_SPEED) {
      throw new HttpProblem(408, "The answer was read too slowly.");
    }
  }
}
