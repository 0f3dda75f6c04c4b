import { type Client, createClientOf } from "./client.ts";
import { applyListJob } from "./jobs/apply-list-job.ts";
import type { ClientOptions } from "./options.ts";
import { PROTOCOLS } from "./protocols/table.ts";

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
