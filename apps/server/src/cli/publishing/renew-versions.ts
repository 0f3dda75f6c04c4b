import { printable } from "@x/explain/printable";
import { renew } from "@x/list-store";
import type { Context } from "../context.ts";
import { type StoreFiles, seenOf } from "../store-files.ts";
import { isSystemError, systemProblem } from "../system-error.ts";
import { describePublished } from "./describe-published.ts";
import type { ListSettings, RunOptions } from "./settings.ts";
import { readKeys, signNext } from "./signing.ts";

/** A version is signed again when less than this part of its lifetime is left. */
export const RENEW_FRACTION: number = 1 / 3;

const HOUR = 3_600_000;

/** The interval between checks of a list, in milliseconds, with which it is signed again before it expires. */
export const renewEvery = ({ lifetime }: ListSettings): number =>
  Math.min(HOUR, (lifetime * RENEW_FRACTION) / 2);

/** Signs the newest versions of lists again if they expire soon, without reading their sources. */
export async function renewAll(
  lists: readonly ListSettings[],
  { files, options }: { readonly files: StoreFiles; readonly options: RunOptions },
  context: Context,
  codes: ReadonlySet<string>,
): Promise<void> {
  const keys = await readKeys(files, options);
  for (const { list, lifetime } of lists) {
    const renewWithin = lifetime * RENEW_FRACTION;
    try {
      if ((await seenOf(files, list)) === null) continue;
      const renewed = await signNext(list, files, keys, { ...options, lifetime }, (renewal) =>
        renew({ ...renewal, renewWithin }),
      );
      const { version } = renewed.manifest;
      if (renewed.outcome === "renewed")
        context.print(describePublished(renewed), { list, version });
    } catch (error) {
      if (!isSystemError(error)) throw error;
      // The same error, such as a full disk, has already been reported.
      if (!codes.has(error.code))
        context.complain(printable(systemProblem(error)), { list, isFailure: true });
    }
  }
}
