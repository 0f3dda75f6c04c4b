import { typeError } from "@x/sha256-prefix/type-error";
import { fromHashList } from "@x/wire/v5";
import { type Client, createClientOf } from "./client.ts";
import { type ListJob, type ListJobResult, runListJob } from "./lists/list-job.ts";
import type { ClientOptions } from "./options.ts";
import { V5 } from "./protocols/v5.ts";

/**
 * Does what `createClient` of `@x/client` does, but only for Safe Browsing v5. Pages and extensions are smaller without
 * the code of the other protocols.
 *
 * @throws {ClientError} `option-invalid` when an option is not valid.
 * @throws {TypeError} when an option has the wrong type, or the protocol is not v5.
 * @throws {RangeError} when a number is out of range.
 * @example
 * ```ts
 * import { createClient } from "@x/client/v5";
 *
 * const client = createClient({ protocol: "v5", server: "https://lists.example", lists: ["se-4b"] });
 * client.checkLocally("http://example.com/").reason; // → "not-loaded"
 * ```
 */
export function createClient(options: ClientOptions): Client {
  return createClientOf({ v5: V5 }, applyListJob, options);
}

/**
 * Does what `applyListJob` of `@x/client` does, but only for Safe Browsing v5.
 *
 * @throws {TypeError} when the job is of another protocol.
 */
export function applyListJob(job: ListJob): ListJobResult {
  return runListJob(job, (update) => {
    if (update.protocol === "v5") return fromHashList(update.message);
    throw typeError("job", "a job of the protocol v5", update.protocol);
  });
}
