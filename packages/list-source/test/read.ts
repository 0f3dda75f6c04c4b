import { type ListSourceOptions, listSourceReader, type SourceSummary } from "@x/list-source";
import { toHex } from "@x/sha256-prefix";

/** The events of reading a source, in order. */
export interface ReadSource {
  readonly events: readonly string[];
  readonly summary: SourceSummary | null;
  /** The code of the error that ended the reading. */
  readonly error: string | null;
}

export type ReadOptions = Partial<ListSourceOptions>;

/**
 * Reads pieces of a source to its end, and records all events. All rows of tables are entries, unless the options say
 * something else, because most tests are about small tables.
 */
export function readPieces(pieces: Iterable<Uint8Array>, options: ReadOptions = {}): ReadSource {
  const events: string[] = [];
  try {
    const reader = listSourceReader({
      where: "all",
      ...options,
      onEntry: ({ line, expression, hash }) => events.push(`${line}: ${expression ?? toHex(hash)}`),
      onRefusal: ({ line, lines, code }) => events.push(`${line}+${lines} refused ${code}`),
      onWarning: ({ line, code }) => events.push(`${line} warning ${code}`),
    });
    for (const piece of pieces) reader.push(piece);
    return { events, summary: reader.end(), error: null };
  } catch (error) {
    if ((error as Error).name !== "ListSourceError") throw error;
    return { events, summary: null, error: (error as { code: string }).code };
  }
}

export function readText(text: string, options: ReadOptions = {}): ReadSource {
  return readPieces([new TextEncoder().encode(text)], options);
}

/** Input of a vector: text, lines, or bytes in hexadecimal. */
export type VectorInput = string | readonly string[] | { readonly hex: string };

export function bytesOf(input: VectorInput, eol = "\n"): Uint8Array {
  if (typeof input === "object" && "hex" in input)
    return new Uint8Array(Buffer.from(input.hex, "hex"));
  const text = typeof input === "string" ? input : input.map((line) => `${line}${eol}`).join("");
  return new TextEncoder().encode(text);
}

export function loadVectors<Vector>(file: string, load: (path: URL) => string): readonly Vector[] {
  return (JSON.parse(load(new URL(`./vectors/${file}`, import.meta.url))) as { cases: Vector[] })
    .cases;
}
