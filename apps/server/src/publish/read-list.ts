import type { SortedHashes } from "@x/list-store";
import { toHex } from "@x/sha256-prefix";
import type { ScratchFile } from "../storage/scratch-file.ts";
import { sightingKey } from "./compare-sightings.ts";
import { type Exception, gatherExceptions, type StillBlocked } from "./exceptions.ts";
import { readSource, type SourceOptions, type SourceReport } from "./read-sources.ts";
import type { Sightings, SightingsRecorder } from "./sightings.ts";
import { hashSorter } from "./sort-hashes.ts";
import type { Source } from "./source.ts";

/** The contents with which a list is published. */
export interface ListContents {
  readonly fullHashes: SortedHashes;
  /** The first entry that is not known to be for a whole host; `null` if there is none. */
  readonly firstPage: string | null;
  readonly sightings: Sightings;
  readonly leftOut: readonly Exception[];
  readonly stillBlocked: readonly StillBlocked[];
}

/** A source of a list with the options for reading it. */
export interface ListSource extends Pick<SourceOptions, "format" | "column" | "where"> {
  readonly source: Source;
  /** The path or URL in the settings, which may have a password. */
  readonly address: string;
  /** How long its entries stay on the list, in milliseconds, if not as long as for the other sources. */
  readonly "expire-after"?: number | undefined;
  /** The column with the dates from which the age of its entries is counted, instead of from first sight. */
  readonly "date-column"?: string | undefined;
  /** The time up to which the source is known, in milliseconds since 1970. */
  readonly asOf: number;
}

export interface ListOptions
  extends Pick<SourceOptions, "allowEmpty" | "allowBroad" | "beforeRead"> {
  readonly exceptions: readonly Exception[];
  /** The file for the hashes of a long list. It must stay open until they are published. */
  readonly scratch: ScratchFile;
  /** Records where the entries are, and says which of them have ended. */
  readonly recorder: SightingsRecorder;
  /** Called before each part of the sorting, with the share that is already sorted, from 0 to 1. */
  readonly beforeSort?: ((share: number) => Promise<void>) | undefined;
  /** Called with the report on each source. */
  readonly onSource: (report: SourceReport) => void;
}

/**
 * Reads the sources of a list, and returns the contents to publish. Throws if a source cannot be opened.
 *
 * Exceptions are applied at the end, because in Adblock lists they may come after the entries.
 */
export async function readList(
  sources: readonly ListSource[],
  options: ListOptions,
): Promise<ListContents> {
  const { exceptions: given, onSource, scratch, recorder, beforeSort, ...rest } = options;
  const hashes = hashSorter(scratch);
  const exceptions = gatherExceptions(given);
  let firstPage: string | null = null;
  for (const [number, { source, format, column, where, ...own }] of sources.entries()) {
    const report = await readSource(source, {
      ...rest,
      format,
      column,
      where,
      dateColumn: own["date-column"],
      exceptions,
      onException: exceptions.add,
      onEntry({ hash, line, text, expression }, date) {
        if (firstPage === null && !isWholeHost(expression)) firstPage = text ?? toHex(hash);
        hashes.add(hash, number);
        recorder.add(hash, number, line, date);
      },
    });
    onSource(report);
  }
  const { leftOut, stillBlocked } = exceptions.apply((keeps) =>
    hashes.filter((hash, number) => {
      const isKept = keeps(hash, sources[number]!.source);
      if (!isKept) recorder.leaveOut(hash, number);
      return isKept;
    }),
  );
  await recorder.sort(beforeSort && ((share) => beforeSort(share / 2)));
  const fullHashes = await hashes.sorted(
    beforeSort && ((share) => beforeSort(0.5 + share / 2)),
    async (firstByte) => {
      const ended = await recorder.endedOf(firstByte);
      return ended.size === 0 ? null : (hash) => !ended.has(sightingKey(hash));
    },
  );
  return { fullHashes, firstPage, sightings: recorder.result(), leftOut, stillBlocked };
}

/** Whether an expression is that of a whole host, such as `b.c/`. What a hash stands for is not known. */
const isWholeHost = (expression: string | null): boolean =>
  expression !== null && expression.indexOf("/") === expression.length - 1;
