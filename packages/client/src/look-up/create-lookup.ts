import { ownOptions } from "@x/canon/own-options";
import { type Checks, createChecks, NONE_SETTLED } from "../checks/checks.ts";
import { evaluateByPrefix } from "../checks/evaluate-by-prefix.ts";
import { hashCases } from "../checks/hash-cases.ts";
import { createJudge } from "../checks/judge.ts";
import { createHashCache } from "../hashes/hash-cache.ts";
import { createSearcher } from "../hashes/searcher.ts";
import {
  type ClientOptions,
  checkChoice,
  checkFunction,
  checkKey,
  checkRelay,
  checkServer,
  checkTimeout,
  fetchOf,
} from "../options.ts";
import { MAX_SEARCHED_PREFIXES } from "../protocols/protocol.ts";
import { searchV5 } from "../protocols/v5-search.ts";
import { createSearchPause } from "../requests/search-pause.ts";
import { createRequester } from "../requests/server-requests.ts";
import { evaluateByUrl } from "./evaluate-by-url.ts";
import { createUrlAnswers } from "./url-answers.ts";

/** The options of `createLookup`. Those that `createClient` has, too, have the same meaning there. */
export interface LookupOptions
  extends Pick<
    ClientOptions,
    | "server"
    | "key"
    | "onError"
    | "timeout"
    | "registrableDomain"
    | "onRequest"
    | "ohttp"
    | "fetch"
    | "now"
    | "random"
  > {
  /**
   * Chooses what the server learns. With `"hash-prefixes"`, the default, it learns four bytes of the hash of each
   * expression (`hashes:search`). With `"urls"`, it learns **the URLs themselves** (`urls:search`), without user name,
   * password, port and fragment.
   */
  readonly sends?: "hash-prefixes" | "urls" | undefined;
}

/** Checks URLs with one call to a server, and keeps no lists. The functions of a look-up do not use `this`. */
export interface Lookup extends Checks {}

/**
 * Makes a look-up by Safe Browsing v5 that needs no list, no storage and no timers, for programs such as serverless
 * functions and bots. The look-up follows the published no-storage procedure.
 *
 * The server is asked about every URL, unless an earlier answer is still valid. Checks at the same time share requests.
 *
 * @throws {ClientError} `option-invalid` when an option is not valid.
 * @throws {TypeError} when an option has the wrong type.
 * @throws {RangeError} when a number is out of range.
 * @example
 * ```ts
 * import { createLookup } from "@x/client";
 *
 * const lookup = createLookup({ server: "https://lists.example", fetch: async () => new Response("", { status: 503 }) });
 * const { verdict, reason } = await lookup.check("http://example.com/");
 * verdict; // → "unsure"
 * reason; // → "server-unreachable"
 * ```
 * @see Safe Browsing v5, "No-Storage Real-Time Mode"
 */
export function createLookup(options: LookupOptions): Lookup {
  const given = ownOptions(options);
  const { key = null, sends = "hash-prefixes", onError = "unsure", registrableDomain } = given;
  checkKey(key);
  checkChoice("sends", sends, ["hash-prefixes", "urls"]);
  checkChoice("onError", onError, ["unsure", "safe"]);
  checkFunction("registrableDomain", registrableDomain);
  const now = checkFunction("now", given.now) ?? Date.now;
  const random = checkFunction("random", given.random) ?? Math.random;
  const requester = createRequester({
    server: checkServer(given.server),
    key,
    fetch: fetchOf(given.fetch),
    onRequest: checkFunction("onRequest", given.onRequest) ?? null,
    timeout: checkTimeout(given.timeout),
    ohttp: checkRelay(given.ohttp),
    now,
  });
  const context = { key, requester };
  const pause = createSearchPause(random);
  if (sends === "urls") {
    const find = createUrlAnswers(context, pause, now);
    return createChecks({ ...NONE_SETTLED, evaluate: evaluateByUrl(find, onError, now) });
  }
  const cache = createHashCache();
  const searcher = createSearcher({
    search: (prefixes, signal) => searchV5(prefixes, context, signal),
    onPrefixes: requester.countPrefixes,
    cache,
    pause,
    maxPrefixes: MAX_SEARCHED_PREFIXES,
    now,
  });
  const judge = createJudge({ cache, onError, threatTypeOf: () => null });
  const caseOf = hashCases(registrableDomain);
  return createChecks({
    ...NONE_SETTLED,
    evaluate: evaluateByPrefix(caseOf, judge, searcher, now),
  });
}
