import type {
  ApplyDifferenceOptions,
  EntryLimit,
  LengthChecksum,
  PrefixLength,
  PrefixList,
  PrefixListBuilder,
  PrefixListBuilderOptions,
  PrefixListDifference,
  PrefixListErrorCode,
  PrefixListFacts,
  PrefixListOptions,
  PrefixTable,
  RawHashes,
} from "@x/prefix-list";
import {
  applyDifference,
  type DecodeOptions,
  decodeDifference,
  decodePrefixList,
  diffPrefixLists,
  encodeDifference,
  encodePrefixList,
  lookupPrefix,
  type PrefixListError,
  prefixes,
  prefixList,
  prefixListBuilder,
  prefixListFileKind,
  rawHashesIn,
  sharePrefixList,
  updatePrefixList,
} from "@x/prefix-list";
import {
  type RiceDeltas,
  type RiceOptions,
  riceDecode,
  riceEncode,
  riceParameterFor,
} from "@x/prefix-list/rice";
import {
  checkLayout,
  longestMatch,
  maybeListed,
  mayMatch,
  type PrefixBloomFilter,
  prefixBloomFilterInSteps,
} from "@x/prefix-list/search";
import type { FullHash, HashPrefix } from "@x/sha256-prefix";
import { expectTypeOf } from "vitest";

expectTypeOf(prefixList).toEqualTypeOf<
  (prefixes: Iterable<Uint8Array | RawHashes>, options?: PrefixListOptions) => PrefixList
>();
expectTypeOf<FullHash[]>().toExtend<Parameters<typeof prefixList>[0]>();
expectTypeOf<RawHashes[]>().toExtend<Parameters<typeof prefixList>[0]>();
expectTypeOf<PrefixListOptions>().branded.toEqualTypeOf<{
  readonly name?: string | undefined;
  readonly created?: number | undefined;
  readonly prefixBytes?: number | undefined;
  readonly maxEntries?: number | undefined;
  readonly sha256?: ((bytes: Uint8Array) => Uint8Array) | undefined;
}>();
expectTypeOf(prefixListBuilder).toEqualTypeOf<
  (options?: PrefixListBuilderOptions) => PrefixListBuilder
>();
expectTypeOf<PrefixListBuilder>().toEqualTypeOf<{
  readonly count: number;
  add(entry: Uint8Array | RawHashes): void;
  build(facts?: PrefixListFacts): PrefixList;
}>();
expectTypeOf(prefixListFileKind).toEqualTypeOf<
  (bytes: Uint8Array) => "list" | "difference" | null
>();
expectTypeOf(riceEncode).toEqualTypeOf<
  (values: Uint32Array, options?: RiceOptions) => RiceDeltas
>();
expectTypeOf(riceDecode).toEqualTypeOf<
  (coded: RiceDeltas, options?: RiceOptions & EntryLimit) => Uint32Array<ArrayBuffer>
>();
expectTypeOf(riceParameterFor).toEqualTypeOf<
  (deltas: number, range: number, least?: number, most?: number) => number
>();
expectTypeOf(updatePrefixList).toEqualTypeOf<
  (
    list: PrefixList,
    changes: { readonly removals: Uint32Array; readonly additions: readonly RawHashes[] },
    options?: PrefixListFacts & EntryLimit & Pick<PrefixListOptions, "sha256">,
  ) => PrefixList
>();
expectTypeOf(checkLayout).toEqualTypeOf<
  (list: unknown, argument?: string) => asserts list is PrefixList
>();
expectTypeOf(rawHashesIn).toEqualTypeOf<(list: PrefixList) => RawHashes[]>();
expectTypeOf(prefixes).returns.toExtend<Iterable<HashPrefix>>();
expectTypeOf(lookupPrefix).toEqualTypeOf<
  (list: PrefixList, hash: Uint8Array) => HashPrefix | null
>();
expectTypeOf(longestMatch).toEqualTypeOf<
  (list: PrefixList, bytes: Uint8Array, offset?: number) => number
>();
expectTypeOf(mayMatch).toEqualTypeOf<(list: PrefixList, word: number) => boolean>();
expectTypeOf(prefixBloomFilterInSteps).toEqualTypeOf<
  (
    lists: readonly PrefixList[],
    prefixesPerStep: number,
  ) => Generator<void, PrefixBloomFilter, undefined>
>();
expectTypeOf(maybeListed).toEqualTypeOf<
  (filter: PrefixBloomFilter, words: Uint32Array, count: number, found: Uint32Array) => number
>();
expectTypeOf(sharePrefixList).toEqualTypeOf<(list: PrefixList) => PrefixList>();
expectTypeOf(encodePrefixList).toEqualTypeOf<(list: PrefixList) => Uint8Array<ArrayBuffer>>();
expectTypeOf(decodePrefixList).toEqualTypeOf<
  (bytes: Uint8Array, options?: DecodeOptions) => PrefixList
>();
expectTypeOf(diffPrefixLists).toEqualTypeOf<
  (from: PrefixList, to: PrefixList) => PrefixListDifference
>();
expectTypeOf(applyDifference).toEqualTypeOf<
  (
    list: PrefixList,
    difference: PrefixListDifference,
    options?: ApplyDifferenceOptions,
  ) => PrefixList
>();
expectTypeOf(encodeDifference).toEqualTypeOf<
  (difference: PrefixListDifference) => Uint8Array<ArrayBuffer>
>();
expectTypeOf(decodeDifference).toEqualTypeOf<
  (bytes: Uint8Array, options?: EntryLimit) => PrefixListDifference
>();

expectTypeOf<PrefixList>().toEqualTypeOf<{
  readonly layout: "tables-1";
  readonly name: string;
  readonly created: number;
  readonly size: number;
  readonly checksum: string;
  readonly lengths: readonly PrefixLength[];
  readonly tables: readonly PrefixTable[];
}>();
expectTypeOf<PrefixListDifference>().toEqualTypeOf<{
  readonly name: string;
  readonly created: number;
  readonly oldChecksum: string;
  readonly checksum: string;
  readonly oldLengths: readonly LengthChecksum[];
  readonly lengths: readonly LengthChecksum[];
  readonly removals: Uint32Array;
  readonly additions: readonly RawHashes[];
}>();
expectTypeOf<ApplyDifferenceOptions>().branded.toEqualTypeOf<{
  readonly maxEntries?: number | undefined;
  readonly allowOlder?: boolean | undefined;
  readonly allowRename?: boolean | undefined;
}>();
expectTypeOf<PrefixListError>().toExtend<Error>();
expectTypeOf<PrefixListError["code"]>().toEqualTypeOf<PrefixListErrorCode>();
expectTypeOf<PrefixListError["index"]>().toEqualTypeOf<number | null>();
expectTypeOf<PrefixListError["expected"]>().toBeString();
expectTypeOf<PrefixListError["section"]>().toBeString();
expectTypeOf<PrefixListError["name"]>().toEqualTypeOf<"PrefixListError">();
