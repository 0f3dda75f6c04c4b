import type { CanonicalUrl } from "@x/canon";
import { readUrl, type UrlProblem } from "@x/canon/readings";
import type { Reading } from "@x/lookup";
import { fullHash } from "@x/sha256-prefix";
import { ClientError } from "../error.ts";
import {
  type ClientOptions,
  checkChoice,
  checkRequestOptions,
  knownOptions,
  REQUEST_OPTIONS,
  type RequestOptions,
} from "../options.ts";
import { MAX_SEARCHED_PREFIXES } from "../protocols/protocol.ts";
import { searchV5 } from "../protocols/v5.ts";
import { type Answered, type Asker, createSearchPause } from "../requests/asker.ts";
import { createHashCache, createSearcher } from "../requests/full-hashes.ts";
import { createRequester } from "../requests/requester.ts";
import {
  createUrlAnswers,
  isAboutUrls,
  readingsOf,
  type UrlAnswer,
} from "../requests/url-answers.ts";
import type { ClientMatch, ClientVerdict } from "../verdict.ts";
import { type Checks, createChecks, type Evaluator, NONE_SETTLED } from "./checks.ts";
import { type CaseOf, checkUrlType, evaluateByPrefix, hashCase, reasonFor } from "./evaluate.ts";
import { conclude, createJudge } from "./judge.ts";

/** The options of `createLookup`. Those that `createClient` has, too, have the same meaning there. */
export interface LookupOptions extends Pick<ClientOptions, keyof RequestOptions> {
  /**
   * Chooses what the server learns. With `"hash-prefixes"`, the default, it learns four bytes of the hash of each
   * expression (`hashes:search`). With `"urls"`, it learns **the URLs themselves** (`urls:search`), without user name,
   * password, port and fragment.
   */
  readonly sends?: "hash-prefixes" | "urls" | undefined;
}

/** Checks URLs with one call to a server, and keeps no lists. The functions of a lookup do not use `this`. */
export interface Lookup extends Checks {}

/**
 * Makes a lookup by Safe Browsing v5 that needs no list, no storage and no timers, for programs such as serverless
 * functions and bots. The lookup follows the published no-storage procedure.
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
  const given = knownOptions("createLookup", options, { ...REQUEST_OPTIONS, sends: true });
  const { sends = "hash-prefixes" } = given;
  checkChoice("sends", sends, ["hash-prefixes", "urls"]);
  const checked = checkRequestOptions(given);
  const { key, onError, registrableDomain, now } = checked;
  const requester = createRequester(checked);
  const context = { key, requester };
  const pause = createSearchPause(checked.random);
  if (sends === "urls") {
    const find = createUrlAnswers(context, pause, now);
    return createChecks({ ...NONE_SETTLED, evaluate: evaluateByUrl(find, onError, now) });
  }
  const cache = createHashCache();
  const searcher = createSearcher({
    search: (prefixes, signal) => searchV5(prefixes, context, signal),
    counts: requester.counts,
    cache,
    pause,
    maxPrefixes: MAX_SEARCHED_PREFIXES,
    now,
  });
  const judge = createJudge({ cache, onError, threatTypeOf: () => null, distrusted: () => null });
  const caseOf: CaseOf = (url, _time, frame) => hashCase(url, frame, registrableDomain);
  return createChecks({
    ...NONE_SETTLED,
    evaluate: evaluateByPrefix(caseOf, judge, searcher, now),
  });
}

/**
 * Sends URLs to the server, in their canonical form. If two readings differ, both are sent, unless no site can have the
 * host of one.
 */
function evaluateByUrl(
  find: Asker<string, UrlAnswer>["find"],
  onError: "unsure" | "safe",
  now: () => number,
): Evaluator["evaluate"] {
  return async (urls, { signal }) => {
    const read = urls.map(sentUrl);
    const hrefs = new Set(read.flatMap(({ sent }) => sent.map(([href]) => href)));
    const answers = await find(hrefs, signal);
    const time = now();
    return read.map((each) => verdictOn(each, answers, time, onError));
  };
}

const HOST_INVALID: UrlProblem = Object.freeze({ code: "host-invalid", index: null });

const WEB_SCHEME = /^(?:https?|ftp|wss?)$/;

/**
 * The form in which a canonical URL is sent. Backslashes are escaped, because browsers treat a bare backslash as a
 * slash. Schemes that browsers do not open, such as `hxxp`, become `http`, because expressions have no scheme. A server
 * then finds the same expressions, whether it reads the URL as the specification or as browsers do.
 */
function sentForm({ href, scheme }: CanonicalUrl): string {
  const start = WEB_SCHEME.test(scheme) ? scheme : "http";
  return start + href.slice(scheme.length).replaceAll("\\", "%5C");
}

/** A URL, and the readings that a server can answer, in the form in which they are sent. */
interface SentUrl {
  readonly url: string | Uint8Array;
  readonly sent: readonly (readonly [href: string, reading: Reading])[];
  readonly problem: UrlProblem | null;
}

function sentUrl(url: string | Uint8Array): SentUrl {
  checkUrlType(url);
  const readings = readUrl(url);
  const sent = readingsOf(readings).flatMap(([canonical, reading]) => {
    const href = answerableForm(canonical);
    return href === null ? [] : [[href, reading] as const];
  });
  const problem = sent.length === 0 ? (readings.problem ?? HOST_INVALID) : readings.problem;
  return { url, sent, problem };
}

/**
 * The form of a canonical URL about which a server can answer. A server refuses a host that no site can have, such as
 * `'a.evil.example`, and with it all other URLs of the request. The expressions with the suffixes of this host may be
 * listed, so the URL is sent with the longest suffix that a site can have. `null` if there is none, as in the
 * specification's reading of `http://evil.example\`.
 */
function answerableForm(url: CanonicalUrl): string | null {
  const { href, scheme, host, hostType } = url;
  const start = scheme.length + "://".length;
  const labels = hostType === "domain" ? host.split(".") : [];
  const shorter = labels.slice(1).slice(-MOST_LABELS);
  // One label alone is no suffix that an expression can begin with.
  const suffixes = shorter.slice(0, -1).map((_, i) => shorter.slice(i).join("."));
  for (const each of [host, ...suffixes]) {
    const sent = sentForm({
      ...url,
      href: href.slice(0, start) + each + href.slice(start + host.length),
    });
    const { specification, problem } = readUrl(sent);
    // A suffix that would be read as another host, such as one that is not ASCII, is on no list.
    if (problem === null && (each === host || specification?.host === each)) return sent;
    if (problem !== null && problem.code !== "host-invalid") return null;
  }
  return null;
}

/** The suffixes of a host that are on lists have fewer labels. */
const MOST_LABELS = 8;

function verdictOn(
  { url, sent, problem }: SentUrl,
  answers: Answered<string, UrlAnswer>,
  time: number,
  onError: "unsure" | "safe",
): ClientVerdict {
  const matches = new Map<string, ClientMatch>();
  let failed: ClientError | null = null;
  let isRefused = false;
  let expires = Infinity;
  for (const [href, reading] of sent) {
    const answer = answers.get(href)!;
    if (answer instanceof ClientError) {
      isRefused ||= isAboutUrls(answer);
      failed ??= answer;
      continue;
    }
    expires = Math.min(expires, answer.until);
    for (const { expression, threatTypes } of answer.listed) {
      const other = matches.get(expression)?.reading ?? reading;
      matches.set(expression, {
        list: null,
        threatTypes,
        expression,
        reading: other === reading ? reading : "both",
        hash: fullHash(expression),
      });
    }
  }
  const findings = {
    url,
    local: null,
    matches: [...matches.values()],
    openMatches: [],
    reason: reasonFor(problem),
    problem,
    isOpen: failed !== null,
    failed,
    expires,
  };
  // A server that fails may be excused, but not a URL that it refuses: anyone can write such a URL.
  return conclude(findings, time, isRefused ? "unsure" : onError);
}
