import { formatDuration } from "@x/command-line";
import { type Reply, textReply } from "../http/reply.ts";
import type { ServedList, ServedLists } from "../lists/served-lists.ts";

/** Whether the process answers at all. */
export function healthReply(): Reply {
  return textReply("healthz", 200, "ok\n");
}

/** The server accepts no new connections, and finishes its last answers. */
export const STOPPING: Reply = textReply("readyz", 503, "The server is stopping.\n");

const NO_LISTS = "The store has no lists yet.";

/** A problem, for the log. */
export interface LoggedProblem {
  readonly message: string;
  /** The list that has it, and the version that is served in the meantime. */
  readonly facts: { readonly list?: string; readonly version?: number };
}

/** Why the server is not ready, for the log; none when it is ready. */
export function problemsForLog(lists: ServedLists): LoggedProblem[] {
  const all = lists.all();
  if (all.length === 0) return [{ message: NO_LISTS, facts: {} }];
  return all.flatMap(({ name, loaded, problem, detail }) => {
    if (problem === null) return [];
    const message = detail === null ? `${problem}.` : `${problem} (list ${name}: ${detail}).`;
    const version = loaded?.entry.manifest.version;
    return [{ message, facts: { list: name, ...(version !== undefined && { version }) } }];
  });
}

/** Why the server is not ready, in the words of `sentence` for each list; none when it is ready. */
function problemsOf(
  lists: ServedLists,
  sentence: (list: ServedList, problem: string) => string,
): string[] {
  const all = lists.all();
  if (all.length === 0) return [NO_LISTS];
  return all.flatMap((list) => (list.problem === null ? [] : [sentence(list, list.problem)]));
}

/** Whether the newest version of every list is verified, not expired, and served. */
export function isReady(lists: ServedLists): boolean {
  return readyReply(lists).status === 200;
}

/**
 * Whether the newest version of every list is verified, not expired, and served. A list that is still served is named
 * with its age. Private lists are not named.
 */
export function readyReply(
  lists: ServedLists,
  isPrivate: (list: string) => boolean = () => false,
  now: () => number = Date.now,
): Reply {
  const problems = problemsOf(lists, ({ name, loaded }, problem) => {
    if (isPrivate(name)) return "A private list has a problem; see the log.";
    if (loaded === null) return `${problem}.`;
    const age = Math.max(0, now() - loaded.entry.manifest.issued);
    return `${problem}; what is served is ${formatDuration(age)} old.`;
  });
  if (problems.length === 0) return textReply("readyz", 200, "ready\n");
  return textReply("readyz", 503, `${problems.join("\n")}\n`);
}
