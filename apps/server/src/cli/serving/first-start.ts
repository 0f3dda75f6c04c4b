import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { NOTHING_SEEN, readSeen, type SeenVersions } from "../../storage/seen-versions.ts";
import type { Context } from "../context.ts";
import { createFile } from "../create-file.ts";
import { describeError } from "../describe-error.ts";

/** Reads the highest versions seen before. Without them, an old copy of the store could not be detected. */
export async function seenBefore(
  file: string,
  isFirstStart: boolean,
  complain: Context["complain"],
): Promise<SeenVersions> {
  const seen = await readSeen(file);
  if (seen !== null) return seen;
  if (isFirstStart) {
    await createFile(file, NOTHING_SEEN, 0o644).catch((error) => {
      const problem = describeError(error) ?? error.message;
      complain(printable(`the file of seen versions cannot be created: ${problem}`));
    });
    return new Map();
  }
  throw new Failure(
    `The file of seen versions ${file} does not exist, so an old copy of the store would be served unnoticed: restore the file, or use --first-start if no server has served this store before`,
  );
}
