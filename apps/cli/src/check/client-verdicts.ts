import { readUrl, type UrlProblem } from "@x/canon/readings";
import type { ClientError, ClientMatch, ClientVerdict, UnsureReason } from "@x/client";
import { checkedUrl, innerRecord, matchText, type Refusal } from "@x/explain";
import type { FollowedLink } from "@x/links/follow";
import { toHex } from "@x/sha256-prefix";
import type { Colours } from "../context.ts";
import type { Finding, RefusedInput } from "../output/results.ts";
import { MAY_HAVE_MORE, verdictLines } from "../output/verdicts.ts";
import { chainCode, chainLines, chainRecord, isUnfinished } from "./chain.ts";
import { disguiseLines, disguisesAlong, disguisesIn } from "./disguises.ts";

/** The number of bytes of a hash that text output shows. */
const SHOWN_BYTES = 4;

const WORDS = { unsafe: "listed", safe: "not-listed", unsure: "unsure" } as const;

const REASONS: Readonly<Record<UnsureReason, string>> = {
  "not-loaded": "not all lists have been downloaded yet",
  "list-unknown": "the server does not have one of the lists",
  "list-damaged": "a list was damaged, and the next update fetches it again",
  outdated: "the lists are too old",
  unconfirmed: "the server must confirm it, but was not asked",
  "server-unreachable": "the server must confirm it, but gave no usable answer",
  "request-refused": "the server must confirm it, but the request was refused",
  stopped: "the server must confirm it, but the search was stopped",
  "url-undecided": "the host cannot be decided",
  "url-invalid": "it is not a URL",
  "unwrap-limit": MAY_HAVE_MORE,
};

const nothing = { matches: [], safeMatches: [], error: null } as const;

/** The canonical forms of a URL, as `check --list` writes them. */
function formsOf(url: string | Uint8Array): { canonical: string | null; browser?: string } {
  const record = checkedUrl(url, { ...nothing, readings: readUrl(url) });
  if ("error" in record) return { canonical: null };
  const { canonical, browser } = record;
  return browser === undefined ? { canonical } : { canonical, browser };
}

/** The refusal of an input that is not a URL or whose host cannot be decided; `null` for other inputs. */
function refusalOf(url: string | Uint8Array, { reason, error }: ClientVerdict): Refusal | null {
  if (reason !== "url-invalid" && reason !== "url-undecided") return null;
  const problem = error as UrlProblem;
  const record = checkedUrl(url, { ...nothing, error: problem, readings: null });
  return "error" in record ? { error: record.error } : null;
}

/** Describes a match on one line. */
export function matchLine(match: ClientMatch, confirmed: boolean): string {
  const { list, threatTypes, expression, reading, inner } = match;
  const prefix = toHex(match.hash.subarray(0, SHOWN_BYTES));
  const named = {
    list: list ?? "a list of the server",
    expression,
    prefix,
    confirmed,
    reading,
    inner,
  };
  const types = threatTypes.filter((type) => type !== list).join(", ");
  // A chance of 1 selects the wording that says that a prefix may match by chance.
  return matchText(named, 1) + (types === "" ? "" : `: ${types}`);
}

/** Describes why a URL has no verdict. */
export function reasonText(reason: UnsureReason, error: ClientError | null): string {
  const text = REASONS[reason];
  return reason === "server-unreachable" && error !== null ? `${text}: ${error.message}` : text;
}

/** Returns the result to write for a client's verdicts on a URL and on the URLs that it leads to. */
export function clientFinding(
  url: string | Uint8Array,
  own: ClientVerdict,
  colours: Colours,
  followed?: FollowedLink<ClientVerdict>,
): Finding | RefusedInput {
  const refusal = refusalOf(url, own);
  if (refusal !== null) return refusal;
  const { local } = own;
  const isListedLater = followed?.verdict === "unsafe";
  const verdict = isListedLater ? followed.hops.at(-1)!.answer! : own;
  const { matches, expires, confirmed } = verdict;
  // A problem with the URL itself was returned as a refusal above.
  const error = verdict.error as ClientError | null;
  const isOpen = followed !== undefined && isUnfinished(followed);
  const reason = isOpen ? chainCode(followed) : verdict.reason;
  const isSafe = verdict.verdict === "safe" && !isOpen;
  const disguises = isSafe ? disguisesAlong(disguisesIn(url, readUrl(url)), followed) : [];
  const word = disguises.length > 0 ? "disguised" : isOpen ? "unsure" : WORDS[verdict.verdict];
  const chain = followed === undefined ? [] : chainLines(followed);
  return {
    isListed: word === "listed",
    isUnsure: word === "unsure",
    isUnfinished: isOpen,
    isDisguised: word === "disguised",
    toRecord: () => ({
      ...formsOf(url),
      verdict: word,
      reason,
      local,
      matches: matches.map(({ list, threatTypes, expression, hash, reading, inner }) => {
        const match = { list, threatTypes, expression, hash: toHex(hash), confirmed, reading };
        return inner === undefined ? match : { ...match, inner: innerRecord(inner) };
      }),
      expires: expires === null ? null : new Date(expires).toISOString(),
      problem: error === null ? null : { code: error.code, message: error.message },
      ...(word === "disguised" && { disguises }),
      ...(followed !== undefined && { chain: chainRecord(followed) }),
    }),
    toText: (shown) =>
      verdictLines(colours)(word, shown, [
        ...disguiseLines(disguises),
        ...chain,
        ...(word === "unsure" && !isOpen ? [reasonText(verdict.reason!, error)] : []),
        ...matches.map((match) => matchLine(match, confirmed)),
      ]),
  };
}
