import { type Reply, textReply } from "../http/reply.ts";
import type { ServedLists } from "../lists/served-lists.ts";

/** Whether the process answers at all. */
export function healthReply(): Reply {
  return textReply("healthz", 200, "ok\n");
}

/** Why the server is not ready, as sentences; none when it is ready. */
export function problemsOf(
  lists: ServedLists,
  isPrivate: (list: string) => boolean = () => false,
): string[] {
  const all = lists.all();
  if (all.length === 0) return ["The store has no lists yet."];
  return all.flatMap(({ name, problem }) => {
    if (problem === null) return [];
    return [isPrivate(name) ? "A private list has a problem; see the log." : `${problem}.`];
  });
}

/** Whether the newest version of every list is verified, not expired, and served. Private lists are not named. */
export function readyReply(
  lists: ServedLists,
  isPrivate: (list: string) => boolean = () => false,
): Reply {
  const problems = problemsOf(lists, isPrivate);
  if (problems.length === 0) return textReply("readyz", 200, "ready\n");
  return textReply("readyz", 503, `${problems.join("\n")}\n`);
}
