import type { ServedLists } from "./served-lists.ts";
import { NO_LISTS } from "./unavailable.ts";

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
