import { type CanonicalUrl, tryParseUrl } from "@x/canon";
import { readUrl, type UrlReadings } from "@x/canon/readings";
import { type Expression, exactExpression } from "@x/expressions";
import type { Reading } from "@x/lookup";
import { readProtobufResponse } from "@x/wire";
import { searchUrls, type ThreatUrl } from "@x/wire/v5";
import { ClientError } from "../error.ts";
import { type CallContext, callsWith, validityMissing } from "../protocols/protocol.ts";
import { type Asker, createAsker, partsOf, type SearchPause } from "./asker.ts";
import { LONGEST_DURATION, MAX_CACHED } from "./full-hashes.ts";

export interface ListedExpression {
  readonly expression: Expression;
  readonly threatTypes: readonly string[];
}

/** The server's answer about a URL. */
export interface UrlAnswer {
  /** Empty when the URL is not listed. */
  readonly listed: readonly ListedExpression[];
  /** When the server was asked, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

const MAX_URLS = 50;
/** The maximum length of the parameters of one request. Many proxies refuse addresses of more than 8 kB. */
const MAX_LENGTH = 7000;

/**
 * The statuses of answers that refuse a request because of a URL in it: the server cannot read the URL (400, 422), or
 * the URL is too long (413, 414, 431).
 */
const ABOUT_URLS: ReadonlySet<number | null> = new Set([400, 413, 414, 422, 431]);
/**
 * How many requests a part of up to 50 URLs may take to find those that the server refuses. Four refused URLs take
 * fewer.
 */
const MAX_REQUESTS = 50;

const call = callsWith(readProtobufResponse);

/** Asks the server about canonical URLs, and keeps the answers for as long as the server allows. */
export function createUrlAnswers(
  context: CallContext,
  pause: SearchPause,
  now: () => number,
): Asker<string, UrlAnswer>["find"] {
  const kept = new Map<string, UrlAnswer>();

  function keep(href: string, answer: UrlAnswer): void {
    kept.delete(href);
    kept.set(href, answer);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_CACHED) break;
      kept.delete(oldest);
    }
  }

  async function search(
    hrefs: readonly string[],
    signal: AbortSignal,
  ): Promise<[string, UrlAnswer][]> {
    const asked = now();
    const answer = await call(searchUrls, { urls: hrefs }, "search", context, signal);
    if (answer.cacheDuration === null) throw validityMissing();
    const from = Math.min(asked, now());
    const until = from + Math.min(answer.cacheDuration, LONGEST_DURATION);
    const urls = hrefs.map((href) => readingsOf(readUrl(href)).map(([url]) => url));
    const threats = listedExpressions(answer.threats, urls.flat());
    return hrefs.map((href, i) => {
      const listed = threats.filter(({ expression }) =>
        urls[i]!.some((url) => hasExpression(url, expression)),
      );
      return [href, { listed, from, until }];
    });
  }

  /** Asks about URLs. If the server refuses them together, asks about the halves, down to single URLs. */
  async function ask(
    hrefs: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, UrlAnswer | ClientError>> {
    const found = new Map<string, UrlAnswer | ClientError>();
    const open = [hrefs];
    for (let requests = 1; open.length > 0; requests++) {
      const part = open.pop()!;
      try {
        for (const [href, answer] of await search(part, signal)) {
          found.set(href, answer);
          keep(href, answer);
        }
      } catch (error) {
        if (!(error instanceof ClientError && isAboutUrls(error))) throw error;
        const middle = Math.ceil(part.length / 2);
        if (part.length > 1 && requests < MAX_REQUESTS)
          open.push(part.slice(middle), part.slice(0, middle));
        else for (const href of part) found.set(href, error);
      }
    }
    return found;
  }

  const asker = createAsker<string, UrlAnswer>({
    divide: (hrefs) =>
      partsOf(hrefs, MAX_URLS, MAX_LENGTH, (href) => encodeURIComponent(href).length),
    pause,
    now,
    ask: async (hrefs, signal) => ({ found: await ask(hrefs, signal), wait: null }),
  });

  return async (hrefs, signal) => {
    const time = now();
    const known = new Map<string, UrlAnswer>();
    for (const href of hrefs) {
      const answer = kept.get(href);
      // If the clock was set back, the age of the answer is not known.
      if (answer !== undefined && answer.from <= time && time < answer.until)
        known.set(href, answer);
    }
    const open = new Set([...hrefs].filter((href) => !known.has(href)));
    if (open.size === 0) return known;
    return new Map([...known, ...(await asker.find(open, signal))]);
  };
}

/** Whether a server refused a request because of the URLs in it, so that it may answer about others. */
export const isAboutUrls = ({ status }: ClientError): boolean => ABOUT_URLS.has(status);

/**
 * Whether an expression joins a suffix of the URL's host to a prefix of its path. The number of labels does not matter:
 * the server may count them from the registrable domain.
 */
function hasExpression({ host, path, query }: CanonicalUrl, expression: Expression): boolean {
  const slash = expression.indexOf("/");
  const suffix = expression.slice(0, slash);
  const isHost = host === suffix || host.endsWith(`.${suffix}`);
  return (
    isHost && `${path}${query === null ? "" : `?${query}`}`.startsWith(expression.slice(slash))
  );
}

/**
 * The expressions in an answer, each once. Google's documents allow a URL in the place of an expression.
 *
 * @throws {ClientError} when none of the requested URLs has one of the expressions.
 */
function listedExpressions(
  threats: readonly ThreatUrl[],
  urls: readonly CanonicalUrl[],
): ListedExpression[] {
  const isRequested = (text: string): text is Expression =>
    text.includes("/") && urls.some((url) => hasExpression(url, text as Expression));
  const found = new Map<Expression, string[]>();
  for (const { url, threatTypes } of threats) {
    // An expression is not parsed as a URL again, because the expression of a host such as "a:b" would change.
    const parsed = isRequested(url) ? null : tryParseUrl(url);
    const expression = parsed === null ? url : exactExpression(parsed);
    if (!isRequested(expression)) {
      const message = "The server's answer has a threat for none of the requested URLs";
      throw new ClientError("answer-wrong", message);
    }
    // If the server sends only types that are unknown here, the URL is listed all the same.
    const types = threatTypes.length > 0 ? threatTypes : ["THREAT_TYPE_UNSPECIFIED"];
    found.set(expression, [...new Set([...(found.get(expression) ?? []), ...types])]);
  }
  return [...found].map(([expression, threatTypes]) => ({ expression, threatTypes }));
}

/** The canonical URLs of a text, one for each distinct reading. */
export function readingsOf({
  specification,
  browser,
  firefox,
}: UrlReadings): [CanonicalUrl, Reading][] {
  const readings: [CanonicalUrl | null, Reading][] =
    specification === browser
      ? [[specification, "both"]]
      : [
          [specification, "specification"],
          [browser, "browser"],
        ];
  readings.push([firefox, "browser"]);
  return readings.filter((each): each is [CanonicalUrl, Reading] => each[0] !== null);
}
