import { fromListUpdateResponse } from "@x/wire/v4";
import { fromHashList } from "@x/wire/v5";
import { fromThreatListDiff } from "@x/wire/web-risk";
import { type Client, createClientOf } from "./client.ts";
import { type ListJob, type ListJobResult, runListJob } from "./lists/list-job.ts";
import type { ClientOptions } from "./options.ts";
import type { Protocols } from "./protocols/protocol.ts";
import { STORE } from "./protocols/store.ts";
import { V4 } from "./protocols/v4.ts";
import { V5 } from "./protocols/v5.ts";
import { WEB_RISK } from "./protocols/web-risk.ts";

/** The protocols, by the names that `createClient` takes. */
const PROTOCOLS: Protocols = { v5: V5, v4: V4, "web-risk": WEB_RISK, store: STORE };

/**
 * Makes a client for a server of URL lists.
 *
 * @throws {ClientError} `option-invalid` when an option is not valid.
 * @throws {TypeError} when an option has the wrong type.
 * @throws {RangeError} when a number is out of range.
 * @example
 * ```ts
 * import { createClient } from "@x/client";
 *
 * const client = createClient({ protocol: "v5", server: "https://lists.example", lists: ["se-4b"] });
 * client.checkLocally("http://example.com/").reason; // → "not-loaded"
 * ```
 */
export function createClient(options: ClientOptions): Client {
  return createClientOf(PROTOCOLS, applyListJob, options);
}

/**
 * Decodes an update of one list and applies it. This is the default for `apply`. A worker that receives a job can call
 * this function, and post the result back.
 *
 * @example
 * ```ts
 * import { applyListJob } from "@x/client";
 *
 * // In a worker:
 * const onmessage = ({ data }) => postMessage(applyListJob(data));
 * ```
 */
export function applyListJob(job: ListJob): ListJobResult {
  return runListJob(job, (update) => {
    if (update.protocol === "v5") return fromHashList(update.message);
    if (update.protocol === "v4") return fromListUpdateResponse(update.message);
    return fromThreatListDiff(update.message);
  });
}
