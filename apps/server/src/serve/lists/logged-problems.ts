import type { ServedLists } from "./served-lists.ts";
import { NO_LISTS } from "./unavailable.ts";

export interface LoggedProblem {
  readonly message: string;
  /** The list that has the problem, and the version that is served in the meantime. */
  readonly facts: { readonly list?: string; readonly version?: number };
}

/**
 * The lists that have problems in `before`, but none in `now`; `undefined` stands for problems that are not about one
 * list.
 */
export function recoveredLists(
  before: readonly Pick<LoggedProblem, "facts">[],
  now: readonly Pick<LoggedProblem, "facts">[],
): readonly (string | undefined)[] {
  const failing = new Set(now.map(({ facts }) => facts.list));
  return [...new Set(before.map(({ facts }) => facts.list))].filter((list) => !failing.has(list));
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
