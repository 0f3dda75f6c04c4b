import { formatDuration } from "@x/command-line";
import { type Reply, textReply } from "../http/reply.ts";
import type { ServedList, ServedLists } from "../lists/served-lists.ts";

/** Whether the process answers at all. */
export function healthReply(): Reply {
  return textReply("healthz", 200, "ok\n");
}

const NO_LISTS = "The store has no lists yet.";

/** The problems of lists, as sentences for the log; none when there are none. */
export function problemsForLog(lists: ServedLists): string[] {
  const all = lists.all();
  if (all.length === 0) return [NO_LISTS];
  return all.flatMap(({ name, problem, detail }) => {
    if (problem === null) return [];
    return [detail === null ? `${problem}.` : `${problem} (list ${name}: ${detail}).`];
  });
}

/** How readiness treats lists. */
export interface Readiness {
  readonly isPrivate: (list: string) => boolean;
  /** Whether the server is ready even if this list has a problem. */
  readonly isOptional: (list: string) => boolean;
}

/**
 * Whether the newest version of every list that is not optional is verified, not expired, and served. The problems of all
 * lists are in the body: a list that is still served is named with its age, and private lists are not named.
 */
export function readyReply(
  lists: ServedLists,
  { isPrivate, isOptional }: Readiness = { isPrivate: () => false, isOptional: () => false },
  now: () => number = Date.now,
): Reply {
  function sentence({ name, loaded }: ServedList, problem: string): string {
    if (isPrivate(name)) return "A private list has a problem; see the log.";
    if (loaded === null) return `${problem}.`;
    const age = Math.max(0, now() - loaded.entry.manifest.issued);
    return `${problem}; what is served is ${formatDuration(age)} old.`;
  }
  const all = lists.all();
  if (all.length === 0) return textReply("readyz", 503, `${NO_LISTS}\n`);
  let isReady = true;
  const problems = all.flatMap((list) => {
    const { name, problem } = list;
    if (problem === null) return [];
    if (isOptional(name)) return [`${sentence(list, problem)} The list is optional.`];
    isReady = false;
    return [sentence(list, problem)];
  });
  const lines = isReady ? ["ready", ...problems] : problems;
  return textReply("readyz", isReady ? 200 : 503, `${lines.join("\n")}\n`);
}
