import type { CanonicalUrl } from "@x/canon";
import { readUrl, type UrlProblem } from "@x/canon/readings";
import type { Reading } from "@x/lookup";
import { fullHash } from "@x/sha256-prefix";
import type { Evaluator } from "../checks/checks.ts";
import { conclude } from "../checks/conclude.ts";
import { checkUrlType, reasonFor } from "../checks/evaluate-by-prefix.ts";
import { ClientError } from "../error.ts";
import type { Answered, Asker } from "../requests/shared-searches.ts";
import type { ClientMatch, ClientVerdict } from "../verdict.ts";
import { readingsOf } from "./readings-of.ts";
import { isAboutUrls, type UrlAnswer } from "./url-answers.ts";

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

/**
 * Leaves out readings whose host no site can have, such as the specification's reading of `http://evil.example\`. A
 * server refuses them, and with them all other URLs of the request.
 */
function sentUrl(url: string | Uint8Array): SentUrl {
  checkUrlType(url);
  const readings = readUrl(url);
  const sent = readingsOf(readings)
    .map(([canonical, reading]) => [sentForm(canonical), reading] as const)
    .filter(([href]) => readUrl(href).problem === null);
  const problem = sent.length === 0 ? (readings.problem ?? HOST_INVALID) : readings.problem;
  return { url, sent, problem };
}

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

/**
 * Sends URLs to the server, in their canonical form. If two readings differ, both are sent, unless no site can have the
 * host of one.
 */
export function evaluateByUrl(
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
