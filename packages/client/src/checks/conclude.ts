import type { UrlProblem } from "@x/canon/readings";
import type { ClientError } from "../error.ts";
import type { ClientMatch, ClientVerdict, UnsureReason } from "../verdict.ts";

export interface Findings extends Pick<ClientVerdict, "url" | "local"> {
  readonly matches: readonly ClientMatch[];
  /** The matches with local lists that the server has not confirmed. */
  readonly openMatches: readonly ClientMatch[];
  /** Why the URL cannot be safe even if nothing is listed; `null` when it can. */
  readonly reason: UnsureReason | null;
  readonly problem: UrlProblem | null;
  /** Whether an answer of the server is missing. */
  readonly isOpen: boolean;
  /** Why the server gave no answer; `null` when it was not asked. */
  readonly failed: ClientError | null;
  /** When the findings expire, in milliseconds since 1970; `Infinity` when nothing limits them. */
  readonly expires: number;
}

const REASONS: Partial<Record<ClientError["code"], UnsureReason>> = {
  "request-refused": "request-refused",
  stopped: "stopped",
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
