import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { namingFile } from "../storage/files.ts";

/** A source of entries. */
export interface Source {
  /** The path of the file, or the URL without credentials and without the values in its query. */
  readonly name: string;
  readonly pieces: () => AsyncIterable<Uint8Array>;
  /** The size in bytes, or `null` if it is unknown. */
  readonly size: () => Promise<number | null>;
  /** The SHA-256 of all bytes, in hex. */
  readonly sha256: () => Promise<string>;
}

async function* piecesOf(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    namingFile(path)(error);
  }
}

export function fileSource(path: string): Source {
  return {
    name: path,
    pieces: () => piecesOf(path),
    async sha256() {
      const hash = createHash("sha256");
      for await (const piece of piecesOf(path)) hash.update(piece);
      return hash.digest("hex");
    },
    async size() {
      // A missing file is reported later, when it is read.
      const found = await stat(path).catch(() => null);
      return found?.isFile() ? found.size : null;
    },
  };
}
