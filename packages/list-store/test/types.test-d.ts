import {
  type CopiedList,
  type CopyOptions,
  type CopyProgress,
  collectGarbage,
  copyList,
  findFullHashes,
  type Garbage,
  type GarbageOptions,
  type KeptVersion,
  type LoadedList,
  type LoadOptions,
  type LogEntry,
  loadList,
  type Publication,
  type Published,
  type PublishProgress,
  parseEntry,
  publish,
  type Renewal,
  type Rollback,
  readEntry,
  readNewest,
  readPrevious,
  renew,
  retire,
  rollBack,
  type SortedHashes,
  type Storage,
  type StoredList,
  withdraw,
} from "@x/list-store";
import { httpStorage, type TransportOptions } from "@x/list-store/http";
import { type S3Credentials, type S3StorageOptions, s3Storage } from "@x/list-store/s3";
import type { OpenList, ReadableHashes } from "@x/list-store/serving";
import { expectTypeOf } from "vitest";

expectTypeOf(loadList).toEqualTypeOf<
  (options: LoadOptions, before?: KeptVersion | LoadedList | null) => Promise<LoadedList | null>
>();
expectTypeOf(findFullHashes).toEqualTypeOf<
  (storage: Storage, list: KeptVersion | LoadedList, prefix: Uint8Array) => Promise<Uint8Array[]>
>();
expectTypeOf<OpenList["search"]>().toEqualTypeOf<
  (prefix: Uint8Array) => {
    readonly shard: string;
    find(hashes: ReadableHashes): Uint8Array[];
  } | null
>();
expectTypeOf(publish).toEqualTypeOf<(publication: Publication) => Promise<Published>>();
expectTypeOf(retire).toEqualTypeOf<(renewal: Omit<Renewal, "lifetime">) => Promise<Published>>();
expectTypeOf(withdraw).toEqualTypeOf<(renewal: Renewal) => Promise<Published>>();
expectTypeOf(rollBack).toEqualTypeOf<(rollback: Rollback) => Promise<Published>>();
expectTypeOf(renew).toEqualTypeOf<(renewal: Renewal) => Promise<Published>>();
expectTypeOf(readNewest).toEqualTypeOf<(stored: StoredList) => Promise<LogEntry | null>>();
expectTypeOf(readEntry).toEqualTypeOf<
  (storage: Storage, list: string, version: number) => Promise<LogEntry | null>
>();
expectTypeOf(readPrevious).toEqualTypeOf<
  (storage: Storage, entry: Pick<LogEntry, "manifest">) => Promise<LogEntry | null>
>();
expectTypeOf(parseEntry).toEqualTypeOf<
  (note: Uint8Array, list: string, version: number) => Promise<LogEntry>
>();
expectTypeOf(collectGarbage).toEqualTypeOf<(options: GarbageOptions) => Promise<Garbage>>();
expectTypeOf(copyList).toEqualTypeOf<(options: CopyOptions) => Promise<CopiedList>>();
expectTypeOf<CopyOptions["onProgress"]>().toEqualTypeOf<
  ((progress: CopyProgress) => void) | undefined
>();
expectTypeOf<Publication["fullHashes"]>().toEqualTypeOf<readonly Uint8Array[] | SortedHashes>();
expectTypeOf<Publication["onProgress"]>().toEqualTypeOf<
  ((progress: PublishProgress) => void) | undefined
>();
expectTypeOf<KeptVersion>().toExtend<Pick<LoadedList, "entry" | "prefixes">>();

expectTypeOf(httpStorage).toEqualTypeOf<
  (address: string | URL, options?: TransportOptions) => Storage
>();
expectTypeOf(s3Storage).toEqualTypeOf<(options: S3StorageOptions) => Storage>();
expectTypeOf<S3StorageOptions>().toExtend<TransportOptions>();
expectTypeOf<S3StorageOptions["credentials"]>().toEqualTypeOf<S3Credentials>();
