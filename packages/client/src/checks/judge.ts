import type { UrlProblem } from "@x/canon/readings";
import { ClientError } from "../error.ts";
import type { CheckedOptions } from "../options.ts";
import {
  type Answers,
  type HashAnswer,
  type HashCache,
  hashAnswer,
  type PrefixAnswer,
} from "../requests/full-hashes.ts";
import type { ClientMatch, ClientVerdict, UnsureReason } from "../verdict.ts";

interface ConfirmingList extends Pick<ClientMatch, "by"> {
  readonly list: string;
}

/** An expression of a URL that may be listed. */
export interface Candidate extends Pick<ClientMatch, "expression" | "reading" | "hash"> {
  readonly key: number;
  /** The names of the local lists that have the expression. */
  readonly lists: readonly string[];
  /**
   * Whether the expression is known only from an earlier answer of the server. If so, the server is not asked again.
   */
  readonly isRemembered: boolean;
  /**
   * The lists that have the full hash of the expression, or a long prefix of it, so that the server does not have to
   * confirm it.
   */
  readonly confirmedBy: readonly ConfirmingList[];
}

/** The facts about a URL before the server is asked. */
export interface Case {
  readonly url: string | Uint8Array;
  /** The expressions that decide the verdict. */
  readonly candidates: readonly Candidate[];
  /** Why the URL cannot be safe even if no expression is listed; `null` when it can. */
  readonly reason: UnsureReason | null;
  readonly problem: UrlProblem | null;
  readonly local: ClientVerdict["local"];
  /** When the next update of the lists is due; `null` when the lists do not decide the verdict. */
  readonly expires: number | null;
  /** Whether the URL is opened in a frame. */
  readonly frame: boolean;
}

export interface JudgeOptions extends Pick<CheckedOptions, "onError"> {
  readonly cache: HashCache;
  /** The type of threat that a list is for; `null` when the protocol does not say. */
  threatTypeOf(list: string): string | null;
  /** Why a search that finds nothing does not show that an entry of a list is gone; `null` when it does. */
  distrusted(list: string): ClientError | null;
}

export interface OpenCase {
  /**
   * The prefixes of the expressions that the server has to be asked about, because nothing is known about them. Empty
   * when an expression is already known to be listed.
   */
  readonly keys: readonly number[];
  /** The known answers, which count for this check even if they expire before it ends. */
  readonly known: ReadonlyMap<number, PrefixAnswer>;
}

export interface Judge {
  /** The cached answers about a URL, and the prefixes about which the server has to be asked. */
  open(of: Case, time: number): OpenCase;
  /** The verdict, from the lists, the cache and new answers of the server. */
  decide(of: Case, time: number, answers: Answers): ClientVerdict;
}

export function createJudge({ cache, onError, threatTypeOf, distrusted }: JudgeOptions): Judge {
  const ownTypes = (name: string) => [threatTypeOf(name)].filter((type) => type !== null);

  return {
    open({ candidates, frame }, time) {
      const keys: number[] = [];
      const answers = new Map<number, PrefixAnswer>();
      let isListed = false;
      for (const each of candidates) {
        const answer = known(cache, each, time);
        if (answer !== null) answers.set(each.key, cache.last(each.key, time)!);
        else if (!each.isRemembered) keys.push(each.key);
        if (each.confirmedBy.length > 0) isListed = true;
        if (answer !== null && typesOf(answer, frame).length > 0) isListed = true;
      }
      // One listed expression is enough for the verdict, so nothing has to be sent.
      return { keys: isListed ? [] : keys, known: answers };
    },

    decide(of, time, answers) {
      const { url, candidates, problem, local, frame } = of;
      const matches: ClientMatch[] = [];
      const openMatches: ClientMatch[] = [];
      let expires = of.expires ?? Infinity;
      let failed: ClientError | null = null;
      let isOpen = false;
      for (const candidate of candidates) {
        for (const { list, by } of candidate.confirmedBy) {
          matches.push(matchOf(candidate, list, ownTypes(list), by));
        }
        if (candidate.confirmedBy.length > 0) continue;
        const answer = known(cache, candidate, time, answers);
        if (answer === null) {
          if (candidate.isRemembered) continue;
          const error = answers.get(candidate.key);
          if (error instanceof ClientError) failed ??= error;
          isOpen = true;
          for (const list of candidate.lists) {
            openMatches.push(matchOf(candidate, list, ownTypes(list)));
          }
          continue;
        }
        expires = Math.min(expires, answer.until);
        const types = typesOf(answer, frame);
        if (types.length === 0) {
          for (const list of candidate.lists) {
            const error = distrusted(list);
            if (error === null) continue;
            failed ??= error;
            isOpen = true;
            openMatches.push(matchOf(candidate, list, ownTypes(list)));
          }
          continue;
        }
        for (const list of fittingLists(candidate, types, threatTypeOf)) {
          matches.push(matchOf(candidate, list, types));
        }
      }
      const { reason } = of;
      return conclude(
        { url, local, matches, openMatches, reason, problem, isOpen, failed, expires },
        time,
        onError,
      );
    },
  };
}

/** The answer about an expression: a new answer of the server or, if there is none, a cached one. */
function known(
  cache: HashCache,
  { key, hash }: Candidate,
  time: number,
  answers?: Answers,
): HashAnswer | null {
  const answer = answers?.get(key);
  // A new answer counts even if it may not be cached.
  if (answer !== undefined && !(answer instanceof ClientError)) return hashAnswer(answer, hash);
  return cache.get(key, hash, time);
}

/**
 * The lists that have the expression, and whose threat type is unknown or in `threatTypes`; `[null]` if there are none.
 */
function fittingLists(
  { lists }: Candidate,
  threatTypes: readonly string[],
  threatTypeOf: JudgeOptions["threatTypeOf"],
) {
  const fitting = lists.filter((name) => {
    const type = threatTypeOf(name);
    return type === null || threatTypes.includes(type);
  });
  return fitting.length > 0 ? fitting : [null];
}

/** The threat types in an answer. Types that are only for frames are left out unless the URL is opened in a frame. */
const typesOf = ({ threats }: HashAnswer, frame: boolean): string[] => [
  ...new Set(
    threats.flatMap(({ threatType, isForFrames }) => (isForFrames && !frame ? [] : [threatType])),
  ),
];

function matchOf(
  { expression, reading, hash }: Candidate,
  list: string | null,
  threatTypes: readonly string[],
  by?: ClientMatch["by"],
): ClientMatch {
  const match = { list, threatTypes, expression, reading, hash };
  return by === undefined ? match : { ...match, by };
}

export interface Findings extends Pick<ClientVerdict, "url" | "local"> {
  readonly matches: readonly ClientMatch[];
  /** The matches with local lists that the server has not confirmed. */
  readonly openMatches: readonly ClientMatch[];
  /** Why the URL cannot be safe even if nothing is listed; `null` when it can. */
  readonly reason: UnsureReason | null;
  readonly problem: UrlProblem | null;
  /** Whether an answer of the server is missing. */
  readonly isOpen: boolean;
  /** Why the server gave no answer, or none that counts; `null` when it was not asked. */
  readonly failed: ClientError | null;
  /** When the findings expire, in milliseconds since 1970; `Infinity` when nothing limits them. */
  readonly expires: number;
}

const REASONS: Partial<Record<ClientError["code"], UnsureReason>> = {
  "request-refused": "request-refused",
  stopped: "stopped",
  "list-unknown": "list-unknown",
};

function reasonOf(failed: ClientError | null): UnsureReason {
  return failed === null ? "unconfirmed" : (REASONS[failed.code] ?? "server-unreachable");
}

/** The verdict that follows from findings. A confirmed match outweighs everything else. */
export function conclude(
  { url, local, matches, openMatches, reason, problem, isOpen, failed, expires }: Findings,
  time: number,
  onError: "unsure" | "safe",
): ClientVerdict {
  if (matches.length === 0 && (reason !== null || isOpen)) {
    const isExcused = reason === null && failed !== null && onError === "safe";
    return {
      url,
      verdict: isExcused ? "safe" : "unsure",
      confirmed: false,
      reason: reason ?? reasonOf(failed),
      local,
      matches: openMatches,
      expires: null,
      error: problem ?? failed,
    };
  }
  return {
    url,
    verdict: matches.length > 0 ? "unsafe" : "safe",
    confirmed: true,
    reason: null,
    local,
    matches,
    expires: Number.isFinite(expires) && expires > time ? expires : null,
    error: null,
  };
}
