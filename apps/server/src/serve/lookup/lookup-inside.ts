import { readUrl, type UrlProblem } from "@x/canon/readings";
import { type Disguise, disguisesOf } from "@x/explain";
import { imitations } from "@x/links/look-alikes";
import { type InnerUrl, type UnwrappedLink, unwrapLink } from "@x/links/unwrap";
import {
  innerMatches,
  mayHaveMore,
  mustBeUrl,
  openedUrls,
  type VerdictsInside,
} from "@x/lookup/inside";
import { registrableDomain } from "../../publish/exceptions.ts";
import type { Answering } from "../answering.ts";
import type { ServedList } from "../lists/served-lists.ts";
import type { LookupParameters } from "./lookup-parameters.ts";
import {
  type ConfirmedMatch,
  type ConfirmedVerdict,
  lookUpUrls,
  SOME_MATCHES,
} from "./lookup-urls.ts";

/**
 * Looks up URLs and, if the request asks for that, the URLs inside them, and finds disguises. The
 * verdicts name matches only up to {@link SOME_MATCHES}.
 */
export async function lookUpAsked(
  urls: readonly (string | Uint8Array)[],
  lists: readonly ServedList[],
  answering: Answering,
  parameters: LookupParameters,
): Promise<AskedVerdict[]> {
  const lookUp = (all: readonly (string | Uint8Array)[]) =>
    lookUpUrls(all, { lists, answering, caller: parameters, limits: SOME_MATCHES });
  const verdicts = parameters.unwrap
    ? await lookUpInside(urls, lookUp, () => answering.turns(parameters.network()))
    : await lookUp(urls);
  return parameters.disguises
    ? verdicts.map((verdict, i) => withDisguises(urls[i]!, verdict))
    : verdicts;
}

const IMITATIONS = imitations({ registrableDomain });

/** Adds the ways in which a URL on no list is built to mislead people. */
function withDisguises(url: Url, verdict: AskedVerdict): AskedVerdict {
  if (verdict.matches.length > 0 || verdict.missing !== null || verdict.error !== null) {
    return verdict;
  }
  const disguises = disguisesOf(url, readUrl(url), IMITATIONS);
  return disguises.length === 0 ? verdict : { ...verdict, disguises };
}

type Url = string | Uint8Array;

/** One listed expression of a URL, or of a URL inside it. */
interface AskedMatch extends ConfirmedMatch {
  /** The URL inside that has the expression; not set if the given URL itself has the expression. */
  readonly inner?: InnerUrl;
}

/** The verdict on one input, and on the URLs inside it if the request asks for that. */
export interface AskedVerdict extends Omit<ConfirmedVerdict, "matches" | "error"> {
  readonly matches: readonly AskedMatch[];
  /** Why there is no verdict: the input is not a URL, or may have more URLs inside than were looked up. */
  readonly error: UrlProblem | { readonly code: "unwrap-limit"; readonly index: null } | null;
  /** The wrappers of links inside the URL that only the wrappers' services can open; not set if there are none. */
  readonly closed?: readonly string[];
  /** The disguises of a URL on no list, if the request asks for them; not set if there are none. */
  readonly disguises?: readonly Disguise[];
}

/** How many bytes of URLs are unwrapped without waiting for a turn. */
const UNWRAPPED_BYTES = 2 ** 12;

/**
 * Looks up URLs and the URLs inside them. A URL is listed if it or a URL inside it is listed. Of several listed URLs
 * inside, only the matches of the first are returned, because together these URLs can be many times as long as the
 * request.
 *
 * @param lookUp looks up URLs without the URLs inside them.
 * @param turn waits for the caller's turn.
 */
async function lookUpInside(
  urls: readonly Url[],
  lookUp: (urls: readonly Url[]) => Promise<readonly ConfirmedVerdict[]>,
  turn: () => Promise<void>,
): Promise<AskedVerdict[]> {
  const unwrapped: UnwrappedLink[] = [];
  let bytes = 0;
  for (const url of urls) {
    bytes += url.length;
    if (bytes > UNWRAPPED_BYTES) {
      await turn();
      bytes = 0;
    }
    unwrapped.push(unwrapLink(url));
  }
  const opened = openedUrls(urls, unwrapped);
  return opened.sorted(await lookUp(opened.urls)).map(combined);
}

/** The first matches, up to the limits. A match of a URL inside also contains that URL, which may be long. */
function some(matches: readonly AskedMatch[]): readonly AskedMatch[] {
  let bytes = 0;
  const end = matches.findIndex(({ expression, inner }, i) => {
    bytes += expression.length + (inner?.url.length ?? 0);
    return i > 0 && (i >= SOME_MATCHES.matches || bytes > SOME_MATCHES.bytes);
  });
  return end < 0 ? matches : matches.slice(0, end);
}

function combined({
  own,
  inner,
  opened,
}: VerdictsInside<ConfirmedVerdict, UnwrappedLink>): AskedVerdict {
  const listed = inner.find(({ verdict }) => verdict.matches.length > 0);
  const listedInside = listed === undefined ? [] : innerMatches(listed.inner, listed.verdict);
  const all: AskedMatch[] = [...own.matches, ...listedInside];
  const matches = some(all);
  const more = own.more + (listed?.verdict.more ?? 0) + all.length - matches.length;
  const wrappers = [...new Set(opened.closed.map(({ wrapper }) => wrapper))];
  const expires = Math.min(own.expires, ...inner.map(({ verdict }) => verdict.expires));
  const result = {
    ...own,
    matches,
    more,
    expires,
    ...(wrappers.length > 0 && { closed: wrappers }),
  };
  if (matches.length > 0) return { ...result, error: null, missing: null };
  const counting = inner.filter((each) => mustBeUrl(each.inner)).map(({ verdict }) => verdict);
  const missing =
    own.missing ?? inner.find(({ verdict }) => verdict.missing !== null)?.verdict.missing ?? null;
  const error = [own, ...counting].find((each) => each.error !== null)?.error ?? null;
  const limit = mayHaveMore(opened, false)
    ? ({ code: "unwrap-limit", index: null } as const)
    : null;
  return { ...result, missing, error: missing === null ? (error ?? limit) : null };
}
