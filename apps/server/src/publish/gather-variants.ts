import { interopVariants } from "@x/interop";
import { fullHash } from "@x/sha256-prefix";
import type { HashGatherer } from "./read-sources.ts";

/** Adds the variants of entries to the hashes of a list, so that clients that read URLs differently block them, too. */
export interface VariantGatherer {
  /** Takes an entry as its source has it. */
  add(text: string): void;
  /** How many different variants there are. */
  count(): number;
}

export function variantGatherer(hashes: HashGatherer): VariantGatherer {
  const known = new Set<string>();
  return {
    add(entry) {
      for (const { text, isSafe } of interopVariants(entry)) {
        if (!isSafe) continue;
        const hash = fullHash(text);
        const key = String.fromCharCode(...hash);
        if (known.has(key)) continue;
        known.add(key);
        hashes.add(hash);
      }
    },
    count: () => known.size,
  };
}
