import type {
  PrefixList,
  PrefixListDifference,
  PrefixListErrorCode,
  PrefixListOptions,
  PrefixTable,
  RawHashes,
} from "@x/prefix-list";
import {
  applyDifference,
  decodeDifference,
  decodePrefixList,
  diffPrefixLists,
  encodeDifference,
  encodePrefixList,
  longestMatch,
  lookupPrefix,
  mayMatch,
  mergePrefixLists,
  type PrefixListError,
  prefixes,
  prefixList,
  rawHashesIn,
  sharePrefixList,
} from "@x/prefix-list";
import type { FullHash, HashPrefix } from "@x/sha256-prefix";
import { expectTypeOf } from "vitest";

expectTypeOf(prefixList).toEqualTypeOf<
  (prefixes: Iterable<Uint8Array | RawHashes>, options?: PrefixListOptions) => PrefixList
>();
expectTypeOf<FullHash[]>().toExtend<Parameters<typeof prefixList>[0]>();
expectTypeOf<RawHashes[]>().toExtend<Parameters<typeof prefixList>[0]>();
expectTypeOf<PrefixListOptions>().toEqualTypeOf<{
  readonly name?: string | undefined;
  readonly created?: number | undefined;
  readonly prefixBytes?: number | undefined;
}>();
expectTypeOf(mergePrefixLists).toEqualTypeOf<
  (lists: Iterable<PrefixList>, options?: PrefixListOptions) => PrefixList
>();
expectTypeOf(rawHashesIn).toEqualTypeOf<(list: PrefixList) => RawHashes[]>();
expectTypeOf(prefixes).returns.toExtend<Iterable<HashPrefix>>();
expectTypeOf(lookupPrefix).toEqualTypeOf<
  (list: PrefixList, hash: Uint8Array) => HashPrefix | null
>();
expectTypeOf(longestMatch).toEqualTypeOf<
  (list: PrefixList, octets: Uint8Array, offset?: number) => number
>();
expectTypeOf(mayMatch).toEqualTypeOf<(list: PrefixList, word: number) => boolean>();
expectTypeOf(sharePrefixList).toEqualTypeOf<(list: PrefixList) => PrefixList>();
expectTypeOf(encodePrefixList).toEqualTypeOf<(list: PrefixList) => Uint8Array<ArrayBuffer>>();
expectTypeOf(decodePrefixList).toEqualTypeOf<(octets: Uint8Array) => PrefixList>();
expectTypeOf(diffPrefixLists).toEqualTypeOf<
  (from: PrefixList, to: PrefixList) => PrefixListDifference
>();
expectTypeOf(applyDifference).toEqualTypeOf<
  (list: PrefixList, difference: PrefixListDifference) => PrefixList
>();
expectTypeOf(encodeDifference).toEqualTypeOf<
  (difference: PrefixListDifference) => Uint8Array<ArrayBuffer>
>();
expectTypeOf(decodeDifference).toEqualTypeOf<(octets: Uint8Array) => PrefixListDifference>();

expectTypeOf<PrefixList>().toEqualTypeOf<{
  readonly name: string;
  readonly created: number;
  readonly size: number;
  readonly checksum: string;
  readonly tables: readonly PrefixTable[];
}>();
expectTypeOf<PrefixListDifference>().toEqualTypeOf<{
  readonly name: string;
  readonly created: number;
  readonly oldChecksum: string;
  readonly checksum: string;
  readonly removals: Uint32Array;
  readonly additions: readonly RawHashes[];
}>();
expectTypeOf<PrefixListError>().toExtend<Error>();
expectTypeOf<PrefixListError["code"]>().toEqualTypeOf<PrefixListErrorCode>();
expectTypeOf<PrefixListError["index"]>().toEqualTypeOf<number | null>();
expectTypeOf<PrefixListError["expected"]>().toBeString();
expectTypeOf<PrefixListError["section"]>().toBeString();
expectTypeOf<PrefixListError["name"]>().toEqualTypeOf<"PrefixListError">();
