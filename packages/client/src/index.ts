export type { CheckOptions, Urls } from "./checks/checks.ts";
export type { Client } from "./client.ts";
export { createClient } from "./create-client.ts";
export { ClientError, type ClientErrorCode } from "./error.ts";
export type { FullHashes } from "./hashes/full-hashes.ts";
export { applyListJob } from "./jobs/apply-list-job.ts";
export type { ListJob, ListJobResult } from "./jobs/list-job.ts";
export type { NewList, OnNewList } from "./lists/new-list.ts";
export { createLookup, type Lookup, type LookupOptions } from "./look-up/create-lookup.ts";
export type { ClientOptions, Procedure } from "./options.ts";
export type { ProtocolName, SizeConstraints } from "./protocols/protocol.ts";
export type { OnRequest, RequestCounts, RequestInfo } from "./requests/requester.ts";
export type { Timers } from "./schedule/timers.ts";
export type { ClientStatus, ListStatus } from "./status.ts";
export { memoryStorage } from "./storage/memory-storage.ts";
export type { ClientStorage } from "./storage/storage.ts";
export type {
  LoadResult,
  OnUpdate,
  UpdatedList,
  UpdateEnd,
  UpdateResult,
} from "./updates/updater.ts";
export type { ClientMatch, ClientVerdict, UnsureReason } from "./verdict.ts";
