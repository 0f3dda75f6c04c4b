import {
  applyListJob,
  type Client,
  type ClientError,
  type ClientOptions,
  type ClientStatus,
  type ClientStorage,
  type ClientVerdict,
  createClient,
  createLookup,
  type ListJob,
  type ListJobResult,
  type Lookup,
  type LookupOptions,
  memoryStorage,
  type UnsureReason,
  type UpdateEnd,
  type UpdateOptions,
  type UpdateResult,
} from "@x/client";
import { indexedDbStorage } from "@x/client/browser";
import { directoryStorage } from "@x/client/node";
import { throughRelay } from "@x/client/ohttp";
import * as v5 from "@x/client/v5";
import type { Unwrap } from "@x/lookup";
import { expectTypeOf } from "vitest";

expectTypeOf(createClient).toEqualTypeOf<(options: ClientOptions) => Client>();
expectTypeOf(createLookup).toEqualTypeOf<(options: LookupOptions) => Lookup>();
expectTypeOf(throughRelay).returns.toExtend<NonNullable<ClientOptions["ohttp"]>>();
expectTypeOf<LookupOptions["ohttp"]>().toEqualTypeOf<ClientOptions["ohttp"]>();
expectTypeOf<Lookup>().toEqualTypeOf<Pick<Client, "check" | "checkMany">>();
expectTypeOf(v5.createClient).toEqualTypeOf<(options: ClientOptions) => Client>();
expectTypeOf(applyListJob).toEqualTypeOf<(job: ListJob) => ListJobResult>();
expectTypeOf(v5.applyListJob).toEqualTypeOf<typeof applyListJob>();
expectTypeOf(applyListJob).toExtend<NonNullable<UpdateOptions["apply"]>>();
expectTypeOf(memoryStorage).returns.toExtend<ClientStorage>();
expectTypeOf(directoryStorage).toBeCallableWith("folder");
expectTypeOf(directoryStorage).returns.toExtend<Required<ClientStorage>>();
expectTypeOf(indexedDbStorage).toBeCallableWith();
expectTypeOf(indexedDbStorage).returns.toEqualTypeOf<ClientStorage>();

interface Signalled {
  readonly signal?: AbortSignal | undefined;
}
interface CheckOptions extends Signalled {
  readonly frame?: boolean | undefined;
  readonly unwrap?: Unwrap | undefined;
}
type Urls = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
expectTypeOf<Client["load"]>().returns.resolves.toHaveProperty("storageError");
expectTypeOf<Client["update"]>().toEqualTypeOf<(options?: Signalled) => Promise<UpdateResult>>();
expectTypeOf<Client["start"]>().toEqualTypeOf<() => void>();
expectTypeOf<Client["stop"]>().toEqualTypeOf<() => Promise<void>>();
expectTypeOf<Client["status"]>().toEqualTypeOf<() => ClientStatus>();
expectTypeOf<Client["check"]>().toEqualTypeOf<
  (url: string | Uint8Array, options?: CheckOptions) => Promise<ClientVerdict>
>();
expectTypeOf<Client["checkHostLocally"]>().toEqualTypeOf<(host: string) => ClientVerdict>();
expectTypeOf<Client["checkLocally"]>().toEqualTypeOf<
  (url: string | Uint8Array, options?: Pick<CheckOptions, "frame" | "unwrap">) => ClientVerdict
>();
expectTypeOf<Client["checkMany"]>().toEqualTypeOf<
  (urls: Urls, options?: CheckOptions) => AsyncGenerator<ClientVerdict, void, undefined>
>();
expectTypeOf<ClientVerdict["verdict"]>().toEqualTypeOf<"safe" | "unsafe" | "unsure">();
expectTypeOf<ClientVerdict["reason"]>().toEqualTypeOf<UnsureReason | null>();
expectTypeOf<UpdateResult["storageError"]>().toEqualTypeOf<ClientError | null>();
expectTypeOf<NonNullable<UpdateOptions["onUpdate"]>>().parameters.toEqualTypeOf<[end: UpdateEnd]>();
expectTypeOf<NonNullable<ClientOptions["onRequest"]>>()
  .parameter(0)
  .toExtend<{ readonly host: string; readonly path: string; readonly body: Uint8Array | null }>();
