import type { Client, ClientError, ClientStatus } from "@x/client";
import { NO_PROBLEM, type Problem, type ServedList } from "../lists/served-lists.ts";
import type { ServerLog } from "../log.ts";
import type { AcceptedContents } from "./accepted-contents.ts";

/** A list from another server, with the times that tell how current it is. */
export interface FollowedList {
  /** The list's name on the other server. */
  readonly list: string;
  readonly name: string;
  readonly row: ServedList["row"];
  readonly accepted: AcceptedContents;
  /**
   * When the other server last confirmed that these contents are the newest, in milliseconds since 1970. The contents
   * are served until `until`.
   */
  checkedAt: number;
  until: number;
  /** The reason why the client's version cannot be served; `null` if it can be served. */
  failure: string | null;
}

const REASONS: Partial<Record<ClientError["code"], string>> = {
  "server-unreachable": "its server does not answer",
  "server-refused": "its server refuses the request",
  "update-refused": "its new version is not accepted; see the log",
  "list-unknown": "its server has no such list",
  "list-damaged": "an update or its stored copy was damaged",
  "storage-failed": "its stored copy cannot be read",
};

/** Takes over the client's newest contents of a list, and the time until which they may be served. */
export async function follow(
  client: Client,
  followed: FollowedList,
  log: ServerLog,
): Promise<void> {
  const newest = client.list(followed.list);
  if (newest === null) return;
  try {
    if (newest !== followed.accepted.newest()?.prefixes) await followed.accepted.adopt(newest);
    followed.failure = null;
  } catch (error) {
    // The served contents stay until they are too old.
    const { message } = error as Error;
    if (message !== followed.failure)
      log.error(`The list ${followed.name} cannot be served: ${message}`);
    followed.failure = message;
    return;
  }
  // If the client has a newer version by now, its status is about that version.
  if (client.list(followed.list) !== newest) return;
  const status = client.status().lists.find(({ name }) => name === followed.list)!;
  followed.checkedAt = status.checkedAt!;
  followed.until = status.until!;
}

/** The problem of a list that is not as current as it should be. `upstream` is the name of its server. */
export function problemOf(
  { lists, lastError }: ClientStatus,
  { list, name, accepted, failure }: FollowedList,
  upstream: string,
  isExpired: boolean,
): Problem {
  const own = lists.find((each) => each.name === list)!;
  const isAboutAll = lastError !== null && (lastError.list === null || lastError.list === list);
  const error = own.error ?? (isAboutAll ? lastError : null);
  const hasArrived = accepted.newest() !== null;
  if (error === null && failure === null && !isExpired && hasArrived) return NO_PROBLEM;
  const reason =
    error === null
      ? "the data from its server cannot be served"
      : (REASONS[error.code] ?? "its server's answer cannot be used");
  const what = !hasArrived
    ? `The list ${name} has not arrived from ${upstream} yet`
    : isExpired
      ? `The list ${name} of ${upstream} is too old`
      : `The list ${name} of ${upstream} is not being updated`;
  return {
    problem: error === null && failure === null ? what : `${what}: ${reason}`,
    detail: error?.message ?? failure,
  };
}
