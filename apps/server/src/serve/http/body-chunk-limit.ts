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
export const CUT_OFF_AFTER: number = 1000;

/** Whether the pieces of a body that have arrived so far are too short. */
export function areTooShort(pieces: number, bytes: number): boolean {
  return bytes < MIN_PIECE_BYTES * (pieces - FREE_PIECES);
}
