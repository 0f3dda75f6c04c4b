import { open } from "node:fs/promises";
import { CanonError } from "@x/canon";
import { exactExpression } from "@x/expressions";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";

/** A line that did not become an entry. */
export interface RefusedLine {
  readonly source: string;
  /** Counted from 1. */
  readonly line: number;
  readonly input: string;
  readonly reason: string;
}

/** What was in the sources of a list. */
export interface SourceReport {
  /** The full hashes of all entries, one after the other, in pieces. */
  readonly fullHashes: readonly Uint8Array[];
  readonly entries: number;
  readonly refused: readonly RefusedLine[];
}

/** Gathers full hashes in pieces of one megabyte. */
function hashPieces() {
  const pieces: Uint8Array[] = [];
  const pieceBytes = FULL_HASH_BYTES * 2 ** 15;
  let piece = new Uint8Array(pieceBytes);
  let used = 0;
  return {
    add(hash: Uint8Array) {
      if (used === pieceBytes) {
        pieces.push(piece);
        piece = new Uint8Array(pieceBytes);
        used = 0;
      }
      piece.set(hash, used);
      used += FULL_HASH_BYTES;
    },
    all: () => [...pieces, piece.subarray(0, used)],
  };
}

/** Reads the sources of a list: one URL a line; empty lines and lines that begin with `#` are skipped. */
export async function readSources(sources: readonly string[]): Promise<SourceReport> {
  const hashes = hashPieces();
  const refused: RefusedLine[] = [];
  let entries = 0;
  for (const source of sources) {
    const file = await open(source);
    let line = 0;
    for await (const text of file.readLines()) {
      line++;
      const input = text.trim();
      if (input === "" || input.startsWith("#")) continue;
      try {
        hashes.add(fullHash(exactExpression(input)));
        entries++;
      } catch (error) {
        if (!(error instanceof CanonError)) throw error;
        refused.push({ source, line, input, reason: error.message });
      }
    }
  }
  return { fullHashes: hashes.all(), entries, refused };
}
