import type { FullHash, HashPrefix, Sha256PrefixErrorCode } from "@x/sha256-prefix";
import {
  fromHex,
  fullHash,
  hashPrefix,
  isUint8Array,
  type Sha256PrefixError,
  toHex,
  truncatedSha256Prefix,
} from "@x/sha256-prefix";
import {
  createHashBatch,
  type HashBatch,
  type HashBatchOptions,
  type HashEngine,
} from "@x/sha256-prefix/batch";
import { expectTypeOf } from "vitest";

expectTypeOf(fullHash).toEqualTypeOf<(text: string | Uint8Array) => FullHash>();
expectTypeOf<FullHash>().toExtend<Uint8Array<ArrayBuffer>>();
expectTypeOf<FullHash["byteLength"]>().toEqualTypeOf<32>();
expectTypeOf(hashPrefix).toEqualTypeOf<(hash: FullHash, prefixBytes?: number) => HashPrefix>();
expectTypeOf<FullHash>().toExtend<HashPrefix>();
expectTypeOf(truncatedSha256Prefix).toEqualTypeOf<
  (input: string | Uint8Array, bits: number) => HashPrefix
>();
expectTypeOf(toHex).toEqualTypeOf<(bytes: Uint8Array) => string>();
expectTypeOf(fromHex).toEqualTypeOf<(text: string) => Uint8Array<ArrayBuffer>>();
expectTypeOf(isUint8Array).toEqualTypeOf<(value: unknown) => value is Uint8Array>();
// @ts-expect-error: not every Uint8Array is a full hash
hashPrefix(new Uint8Array(32));

expectTypeOf(createHashBatch).toEqualTypeOf<(options: HashBatchOptions) => HashBatch>();
expectTypeOf<{ bytes: 1; slices: 1; engine: undefined }>().toExtend<HashBatchOptions>();
expectTypeOf<HashBatch["engine"]>().toEqualTypeOf<HashEngine>();
expectTypeOf<HashBatch["bytes"]>().toEqualTypeOf<Uint8Array<ArrayBuffer>>();
expectTypeOf<HashBatch["prefixes"]>().toEqualTypeOf<Uint32Array<ArrayBuffer>>();

expectTypeOf<Sha256PrefixError["code"]>().toEqualTypeOf<Sha256PrefixErrorCode>();
expectTypeOf<Sha256PrefixError["name"]>().toEqualTypeOf<"Sha256PrefixError">();
expectTypeOf<Sha256PrefixError["index"]>().toEqualTypeOf<number>();
expectTypeOf<Sha256PrefixError["expected"]>().toBeString();
