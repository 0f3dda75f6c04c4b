import type {
  FullHash,
  HashBatch,
  HashBatchOptions,
  HashEngine,
  HashPrefix,
  Sha256PrefixErrorCode,
} from "@x/sha256-prefix";
import {
  createHashBatch,
  fromHex,
  fullHash,
  hashPrefix,
  hashSlices,
  hasPrefix,
  isOctets,
  type Sha256PrefixError,
  toHex,
  truncatedSha256Prefix,
} from "@x/sha256-prefix";
import { expectTypeOf } from "vitest";

expectTypeOf(fullHash).toEqualTypeOf<(text: string | Uint8Array) => FullHash>();
expectTypeOf<FullHash>().toExtend<Uint8Array<ArrayBuffer>>();
expectTypeOf<FullHash["byteLength"]>().toEqualTypeOf<32>();
expectTypeOf(hashPrefix).toEqualTypeOf<(hash: FullHash, bytes?: number) => HashPrefix>();
expectTypeOf<FullHash>().toExtend<HashPrefix>();
expectTypeOf(truncatedSha256Prefix).toEqualTypeOf<
  (input: string | Uint8Array, bits: number) => HashPrefix
>();
expectTypeOf(hasPrefix).toEqualTypeOf<(hash: FullHash, prefix: HashPrefix) => boolean>();
expectTypeOf(toHex).toEqualTypeOf<(bytes: Uint8Array) => string>();
expectTypeOf(fromHex).toEqualTypeOf<(text: string) => Uint8Array<ArrayBuffer>>();
expectTypeOf(isOctets).toEqualTypeOf<(value: unknown) => value is Uint8Array>();
// @ts-expect-error: any octets are not a full hash
hashPrefix(new Uint8Array(32));

expectTypeOf(createHashBatch).toEqualTypeOf<(options: HashBatchOptions) => HashBatch>();
expectTypeOf<{ octets: 1; slices: 1; engine: undefined }>().toExtend<HashBatchOptions>();
expectTypeOf<{ engine: undefined }>().toExtend<Parameters<typeof hashSlices>[3]>();
expectTypeOf<HashBatch["engine"]>().toEqualTypeOf<HashEngine>();
expectTypeOf<HashBatch["octets"]>().toEqualTypeOf<Uint8Array<ArrayBuffer>>();
expectTypeOf<HashBatch["prefixes"]>().toEqualTypeOf<Uint32Array<ArrayBuffer>>();
expectTypeOf(hashSlices).returns.toEqualTypeOf<FullHash[]>();
expectTypeOf(hashSlices).parameter(1).toEqualTypeOf<ArrayLike<number>>();

expectTypeOf<Sha256PrefixError["code"]>().toEqualTypeOf<Sha256PrefixErrorCode>();
expectTypeOf<Sha256PrefixError["name"]>().toEqualTypeOf<"Sha256PrefixError">();
expectTypeOf<Sha256PrefixError["index"]>().toEqualTypeOf<number>();
expectTypeOf<Sha256PrefixError["expected"]>().toBeString();
