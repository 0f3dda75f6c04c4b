import { interopVariants } from "@x/interop";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";

/** Gathers the variants of entries, so that clients that read URLs differently block the entries, too. */
export interface VariantGatherer {
  /** Adds an entry, given its text in the source and its expression. */
  add(text: string, expression: string): void;
  /** The full hashes of the variants of all published entries, concatenated and without duplicates. */
  hashes(isPublished: (expression: string) => boolean): Uint8Array;
}

export function variantGatherer(): VariantGatherer {
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
