export type { CheckOptions, Urls } from "./checks/checks.ts";
export {
  type Client,
  type ClientStatus,
  createClient,
  type ListStatus,
  type LoadResult,
  type UpdatedList,
  type UpdateResult,
} from "./client.ts";
export { ClientError, type ClientErrorCode } from "./error.ts";
export type { ClientOptions, Procedure } from "./options.ts";
export {
  type AppliedUpdate,
  type ApplyUpdate,
  applyListJob,
  type ListJob,
} from "./protocols/apply-update.ts";
export type { SizeConstraints } from "./protocols/protocol.ts";
export type { ProtocolName } from "./protocols/table.ts";
export type { OnRequest, RequestCounts, RequestInfo } from "./requests/requester.ts";
export type { Timers } from "./schedule/timers.ts";
export { memoryStorage } from "./storage/memory-storage.ts";
export type { ClientStorage } from "./storage/storage.ts";
export type { ClientMatch, ClientVerdict, UnsureReason } from "./verdict.ts";
