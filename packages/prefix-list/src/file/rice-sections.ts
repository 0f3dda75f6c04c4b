import { MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import type { RiceDeltas } from "../rice/rice-deltas.ts";
import { DIFFERENCE_KIND, REMOVALS } from "./layout.ts";
import { readFrame } from "./read-frame.ts";
import type { ReadSection } from "./read-sections.ts";

/** The Rice codes in a file that a Safe Browsing v5 message can carry as they are. */
export interface RiceSections {
  /** What the file holds. */
  readonly kind: "list" | "difference";
  /** The checksum of the list, or of the list that a difference makes. */
  readonly checksum: string;
  /** The prefix lengths that the file holds, the shortest first: any but 4 is not in `fourBytes`. */
  readonly prefixLengths: readonly number[];
  /** The indices that a difference removes; `null` when there are none, and for a list. */
  readonly removals: RiceDeltas | null;
  /** The 4-byte prefixes of a list, or those that a difference adds; `null` when there are none. */
  readonly fourBytes: RiceDeltas | null;
}

function toRiceDeltas(section: ReadSection | undefined): RiceDeltas | null {
  if (section === undefined) return null;
  const { firstValue, riceParameter, count, coded } = section;
  return { firstValue, riceParameter, entriesCount: count - 1, encodedData: coded };
}

/**
 * Returns the Rice codes in the bytes of a list file or a difference file, so that you can copy them into a
 * message without encoding them again. The codes are views of `bytes`, not copies.
 *
 * The header is checked and, for a difference, the body as well. Nothing is decoded: for a list that you did not
 * write yourself, call `decodePrefixList` first.
 *
 * @throws {PrefixListError} `foreign`, `version-unknown`, `truncated`, `header-damaged`, `header-invalid` or
 * `body-damaged`.
 * @throws {TypeError} when `bytes` is not a `Uint8Array`.
 * @example
 * ```ts
 * import { encodePrefixList, prefixList } from "@x/prefix-list";
 * import { riceDecode, riceSections } from "@x/prefix-list/rice";
 *
 * const list = prefixList([Uint8Array.of(0, 0, 0, 9), Uint8Array.of(0, 0, 0, 7)]);
 * const { fourBytes } = riceSections(encodePrefixList(list));
 * fourBytes && [...riceDecode(fourBytes)]; // → [7, 9]
 * ```
 * @see Safe Browsing v5, `HashList`
 */
export function riceSections(bytes: Uint8Array): RiceSections {
  const { kind, checksum, sections } = readFrame(bytes, null, Number.POSITIVE_INFINITY);
  const ofLength = (length: number) => sections.find(({ prefixBytes }) => prefixBytes === length);
  const lengths = sections.map(({ prefixBytes }) => prefixBytes);
  return {
    kind: kind === DIFFERENCE_KIND ? "difference" : "list",
    checksum,
    prefixLengths: lengths.filter((prefixBytes) => prefixBytes !== REMOVALS),
    removals: toRiceDeltas(ofLength(REMOVALS)),
    fourBytes: toRiceDeltas(ofLength(MIN_PREFIX_BYTES)),
  };
}
