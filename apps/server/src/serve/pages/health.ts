import { type Reply, textReply } from "../http/reply.ts";
import type { ServedLists } from "../lists/served-lists.ts";

/** Whether the process answers at all. */
export function healthReply(): Reply {
  return textReply("healthz", 200, "ok\n");
}

const NO_LISTS = "The store has no lists yet.";

/** Why the server is not ready, as sentences for the log; none when it is ready. */
export function problemsForLog(lists: ServedLists): string[] {
  const all = lists.all();
  if (all.length === 0) return [NO_LISTS];
  return all.flatMap(({ name, problem, detail }) => {
    if (problem === null) return [];
    return [detail === null ? `${problem}.` : `${problem} (list ${name}: ${detail}).`];
  });
}

/** Why the server is not ready, as sentences for anyone; none when it is ready. */
function problemsOf(lists: ServedLists, isPrivate: (list: string) => boolean): string[] {
  const all = lists.all();
  if (all.length === 0) return [NO_LISTS];
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
