import type { Expression } from "@x/expressions";
import { interopVariants } from "@x/interop";
import type { SortedHashes } from "@x/list-store";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import type { ScratchFile } from "../storage/scratch-file.ts";
import { type Exception, gatherExceptions, type LeftOut, type StillBlocked } from "./exceptions.ts";
import { readSource, type SourceOptions, type SourceReport } from "./read-sources.ts";
import { hashSorter } from "./sort-hashes.ts";
import type { Source } from "./source.ts";

/** The contents with which a list is published. */
export interface ListContents {
  readonly fullHashes: SortedHashes;
  /** How many of the hashes are variants of entries. */
  readonly variants: number;
  readonly leftOut: readonly LeftOut[];
  readonly stillBlocked: readonly StillBlocked[];
}

/** A source of a list with the options for reading it. */
export interface ListSource extends Pick<SourceOptions, "format" | "column" | "where"> {
  readonly source: Source;
}

export interface ListOptions
  extends Pick<SourceOptions, "allowEmpty" | "allowBroad" | "beforeRead"> {
  readonly exceptions: readonly Exception[];
  /** Whether the exceptions of a source also apply to the other sources. */
  readonly sharesExceptions: boolean;
  readonly variants: boolean;
  /** The file for the hashes of a long list. It must stay open until they are published. */
  readonly scratch: ScratchFile;
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
  const { exceptions: given, sharesExceptions: shared, variants: hasVariants, ...others } = options;
  const { onSource, scratch, beforeSort, ...rest } = others;
  const hashes = hashSorter(scratch);
  const variants = hasVariants ? variantGatherer() : null;
  const exceptions = gatherExceptions(given, { shared });
  for (const [number, { source, format, column, where }] of sources.entries()) {
    const report = await readSource(source, {
      ...rest,
      format,
      column,
      where,
      exceptions,
      onException: exceptions.add,
      onEntry({ text, expression, hash }) {
        hashes.add(hash, number);
        if (text !== null) variants?.add(text, expression!);
      },
    });
    onSource(report);
  }
  const { leftOut, gone, stillBlocked } = exceptions.apply((keeps) =>
    hashes.filter((hash, number) => keeps(hash, sources[number]!.source)),
  );
  const more =
    variants?.hashes((expression) => !gone.has(expression as Expression)) ?? new Uint8Array(0);
  for (let at = 0; at < more.length; at += FULL_HASH_BYTES) {
    hashes.add(more.subarray(at, at + FULL_HASH_BYTES), sources.length);
  }
  return {
    fullHashes: await hashes.sorted(beforeSort),
    variants: more.length / FULL_HASH_BYTES,
    leftOut,
    stillBlocked,
  };
}

/** Gathers the variants of entries, so that clients that read URLs differently block the entries, too. */
interface VariantGatherer {
  /** Adds an entry, given its text in the source and its expression. */
  add(text: string, expression: string): void;
  /** The full hashes of the variants of all published entries, concatenated and without duplicates. */
  hashes(isPublished: (expression: string) => boolean): Uint8Array;
}

function variantGatherer(): VariantGatherer {
  const variants = new Map<string, Set<string>>();
  return {
    add(entry, expression) {
      for (const { text, isSafe } of interopVariants(entry)) {
        if (isSafe) variants.set(text, (variants.get(text) ?? new Set()).add(expression));
      }
    },
    hashes(isPublished) {
      const published = [...variants].filter(([, entries]) => [...entries].some(isPublished));
      const hashes = new Uint8Array(published.length * FULL_HASH_BYTES);
      for (const [i, [text]] of published.entries()) {
        hashes.set(fullHash(text), i * FULL_HASH_BYTES);
      }
      return hashes;
    },
  };
}
