import { stat } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { renew } from "@x/list-store";
import { watchSources } from "../../publish/watch-sources.ts";
import { isIntended } from "../../publish/write-metrics.ts";
import type { Context } from "../context.ts";
import { checkStore, type StoreFiles, seenOf } from "../store-files.ts";
import { isSystemError, systemProblem } from "../system-error.ts";
import { dailyCollection } from "./collect-daily.ts";
import { describePublished } from "./describe-published.ts";
import type { Sources } from "./open-sources.ts";
import type { KeptLists } from "./publish-lists.ts";
import { type PublishSettings, RENEW_FRACTION } from "./settings.ts";
import { readKeys, signNext } from "./signing.ts";

/** Throws for a pipe, a socket or a device: it can be read only once, and reading it again may wait forever. */
async function checkWatchable(source: string): Promise<void> {
  const facts = await stat(source).catch(() => null);
  if (facts === null || facts.isFile() || facts.isDirectory()) return;
  throw new Failure(`--watch needs files, but ${source} is not a regular file`);
}

/** A context that collects complaints, so that they can be compared with those of the previous run. */
function collecting(context: Context): { context: Context; said: string[] } {
  const said: string[] = [];
  return { context: { ...context, complain: (line) => void said.push(line) }, said };
}

/**
 * Publishes whenever a source changes, until the process is told to stop. While something is wrong, the published
 * versions are signed again, so that they do not expire, and the problems are reported only when something changes.
 * Garbage is collected once a day.
 */
export async function watchLists(
  { lists, files: sources, fetched }: Sources,
  files: StoreFiles,
  settings: PublishSettings,
  context: Context,
  publishOnce: (context: Context) => Promise<KeptLists>,
): Promise<void> {
  await checkStore(files);
  for (const source of sources) await checkWatchable(source);

  const renewWithin = settings.lifetime * RENEW_FRACTION;

  async function publishOrRenew(context: Context): Promise<void> {
    let code: string | null = null;
    try {
      const kept = await publishOnce(context);
      if ([...kept.values()].every(isIntended)) return;
    } catch (error) {
      if (isSystemError(error)) code = error.code;
      const problem = isSystemError(error) ? systemProblem(error) : (error as Error).message;
      context.complain(printable(problem));
    }
    const keys = await readKeys(files, settings);
    for (const list of lists.keys()) {
      try {
        if ((await seenOf(files, list)) === null) continue;
        const renewed = await signNext(list, files, keys, settings, (renewal) =>
          renew({ ...renewal, renewWithin }),
        );
        if (renewed.outcome === "renewed") context.print(describePublished(renewed));
      } catch (error) {
        if (!isSystemError(error)) throw error;
        // The same error, such as a full disk, has already been reported.
        if (error.code !== code) context.complain(printable(systemProblem(error)));
      }
    }
  }

  const { dryRun: isDryRun = false } = settings;
  const collect = isDryRun ? null : dailyCollection(files, settings);
  let last = "";
  await watchSources(
    [...sources, settings.except ?? files.exceptFile],
    fetched,
    async (hasChanged) => {
      const { context: quiet, said } = collecting(context);
      try {
        await publishOrRenew(quiet);
        await collect?.(quiet);
      } finally {
        const text = said.join("\n");
        if (hasChanged || text !== last) for (const line of said) context.complain(line);
        last = text;
      }
    },
    renewWithin,
    context.complain,
  );
  // The output is only a log: lines of it that could not be written are no failure.
  context.exitWith(0);
}
