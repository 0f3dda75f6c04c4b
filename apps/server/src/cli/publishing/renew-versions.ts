import type { Context } from "../context.ts";
import { describeError, isSystemError } from "../errors.ts";
import { readKeys, seenOf } from "../signing.ts";
import { checkStore } from "../store-files.ts";
import type { ListSettings } from "./list-settings.ts";
import { describePublished } from "./messages.ts";
import { isIntended } from "./metrics.ts";
import { type Outcomes, type Publisher, publishLists, renewList } from "./publish-lists.ts";

/**
 * Publishes lists. Lists that were refused or failed keep their newest version, which is signed again if it expires
 * soon.
 *
 * Returns `null` if nothing could be published, because the exceptions of the store cannot be read, for example. This
 * problem is reported.
 *
 * @throws if nothing can be signed either, because the keys or the store cannot be read.
 */
export async function publishOrRenew(
  lists: readonly ListSettings[],
  publisher: Publisher,
  context: Context,
): Promise<Outcomes | null> {
  let outcomes: Outcomes;
  try {
    outcomes = await publishLists(lists, publisher, context);
  } catch (error) {
    const problem = describeError(error);
    if (problem === null) throw error;
    await renewAll(lists, publisher, context, [error]);
    context.complain(problem, { isFailure: true });
    return null;
  }
  const kept = lists.filter(({ list }) => !isIntended(outcomes.get(list)!.kept));
  const known = kept.map(({ list }) => outcomes.get(list)!.error);
  await renewAll(kept, publisher, context, known);
  return outcomes;
}

/** Two errors with the same key are one problem, such as a disk that is full for one file and then for another. */
const keyOf = (error: unknown) => (isSystemError(error) ? error.code : describeError(error));

/**
 * Signs the newest versions of lists again if they expire soon, without reading their sources.
 *
 * @param known errors that have already been reported.
 */
async function renewAll(
  lists: readonly ListSettings[],
  { files, options }: Publisher,
  context: Context,
  known: readonly unknown[],
): Promise<void> {
  if (lists.length === 0 || options.dryRun) return;
  const knownKeys = known.map(keyOf);
  const keys = await readKeys(files);
  await checkStore(files);
  for (const settings of lists) {
    const { list } = settings;
    try {
      if ((await seenOf(files, list)) === null) continue;
      const renewed = await renewList(settings, files, keys, options);
      const { version } = renewed.manifest;
      if (renewed.outcome === "renewed")
        context.print(describePublished(renewed), { list, version });
    } catch (error) {
      const problem = describeError(error);
      if (problem === null) throw error;
      if (!knownKeys.includes(keyOf(error))) context.complain(problem, { list, isFailure: true });
    }
  }
}
