import { formatDuration } from "@x/command-line";
import { type Reply, textReply } from "../http/reply.ts";
import type { ServedList, ServedLists } from "../lists/served-lists.ts";

/** The answer of `/healthz`, which shows only that the process is running. */
export function healthReply(): Reply {
  return textReply("healthz", 200, "ok\n");
}

/** The answer of `/readyz` while the server only finishes its last answers. */
export const STOPPING: Reply = textReply("readyz", 503, "The server is stopping.\n");

const NO_LISTS = "The store has no lists yet.";

export interface LoggedProblem {
  readonly message: string;
  /** The list that has the problem, and the version that is served in the meantime. */
  readonly facts: { readonly list?: string; readonly version?: number };
}

/** The problems of all lists, for the log. A store without lists is a problem, too. */
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

/** How `/readyz` treats lists. */
export interface Readiness {
  readonly isPrivate: (list: string) => boolean;
  /** Whether the server is ready even if this list has a problem. */
  readonly isOptional: (list: string) => boolean;
}

/** Whether the newest version of every list that is not optional is verified, not expired, and served. */
export function isReady(lists: ServedLists, readiness: Readiness): boolean {
  return readyReply(lists, readiness).status === 200;
}

/**
 * The answer of `/readyz`: whether the newest version of every list that is not optional is verified, not expired, and
 * served. The body has the problems of all lists, and the age of each version that is still served. Private lists are
 * not named.
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
    return `${problem}; the version that is served is ${formatDuration(age)} old.`;
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
