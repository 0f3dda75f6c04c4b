import type { CanonicalUrl } from "@x/canon";
import { readUrl, type UrlReadings } from "@x/canon/readings";
import { fullHash } from "@x/sha256-prefix";
import type { Evaluator } from "../checks/checks.ts";
import { conclude } from "../checks/conclude.ts";
import { checkUrlType, reasonFor } from "../checks/evaluate-by-prefix.ts";
import { ClientError } from "../error.ts";
import type { Answered, Asker } from "../requests/shared-searches.ts";
import type { ClientMatch, ClientVerdict } from "../verdict.ts";
import { readingsOf } from "./readings-of.ts";
import type { UrlAnswer } from "./url-answers.ts";

/**
 * The form in which a canonical URL is sent. Backslashes are escaped, because browsers treat a bare backslash as a
 * slash. A server then finds the same expressions, whether it reads the URL as the specification or as browsers do.
 */
const sentForm = ({ href }: CanonicalUrl): string => href.replaceAll("\\", "%5C");

function verdictOn(
  url: string | Uint8Array,
  readings: UrlReadings,
  answers: Answered<string, UrlAnswer>,
  time: number,
  onError: "unsure" | "safe",
): ClientVerdict {
  const matches = new Map<string, ClientMatch>();
  let failed: ClientError | null = null;
  let expires = Infinity;
  for (const [canonical, reading] of readingsOf(readings)) {
    const answer = answers.get(sentForm(canonical))!;
    if (answer instanceof ClientError) {
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
    reason: reasonFor(readings.problem),
    problem: readings.problem,
    isOpen: failed !== null,
    failed,
    expires,
  };
  return conclude(findings, time, onError);
}

/** Sends URLs to the server, in their canonical form. If two readings differ, both are sent. */
export function evaluateByUrl(
  find: Asker<string, UrlAnswer>["find"],
  onError: "unsure" | "safe",
  now: () => number,
): Evaluator["evaluate"] {
  return async (urls, { signal }) => {
    const read = urls.map((url) => {
      checkUrlType(url);
      return readUrl(url);
    });
    const sent = new Set(read.flatMap((each) => readingsOf(each).map(([url]) => sentForm(url))));
    const answers = await find(sent, signal);
    const time = now();
    return urls.map((url, i) => verdictOn(url, read[i]!, answers, time, onError));
  };
}
