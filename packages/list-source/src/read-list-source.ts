import { type ListSourceOptions, listSourceReader, type SourceSummary } from "./reader.ts";

/** {@link ListSourceOptions}, with progress. */
export interface ReadListSourceOptions extends ListSourceOptions {
  /** Called after each piece. */
  readonly onProgress?: ((summary: SourceSummary) => void) | undefined;
}

/**
 * Reads a list source, such as a file's stream, to its end. For details, see {@link listSourceReader}.
 *
 * @throws {ListSourceError} when the source cannot be read. Errors of `chunks` are passed on.
 * @throws TypeError when an option or a piece has the wrong type.
 * @example
 * ```ts
 * import { readListSource } from "@x/list-source";
 *
 * const file = new TextEncoder().encode("evil.example\nhxxp://bad[.]example/\n");
 * const entries: (string | null)[] = [];
 * const summary = await readListSource([file], {
 *   format: "urls",
 *   onEntry: ({ expression }) => entries.push(expression),
 *   onRefusal: ({ line, code }) => entries.push(`line ${line}: ${code}`),
 * });
 * entries; // → ["evil.example/", "line 2: defanged"]
 * [summary.entries, summary.refused]; // → [1, 1]
 * ```
 */
export async function readListSource(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options: ReadListSourceOptions,
): Promise<SourceSummary> {
  const reader = listSourceReader(options);
  for await (const bytes of chunks) {
    reader.push(bytes);
    options.onProgress?.(reader.summary());
  }
  return reader.end();
}
