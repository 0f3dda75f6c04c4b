import { writeFile } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { NOTHING_SEEN, readSeen, type SeenVersions } from "../../storage/seen-versions.ts";
import type { Context } from "../context.ts";

/** Reads the highest versions seen before. Without them, an old copy of the store could not be detected. */
export async function seenBefore(
  file: string,
  firstStart: boolean,
  complain: Context["complain"],
): Promise<SeenVersions> {
  const seen = await readSeen(file);
  if (seen !== null) return seen;
  if (firstStart) {
    await writeFile(file, NOTHING_SEEN, { flag: "wx" }).catch((error) => {
      complain(printable(`the file of seen versions cannot be created: ${error.message}`));
    });
    return new Map();
  }
  throw new Failure(
    `The file of seen versions ${file} does not exist, so an old copy of the store would be served unnoticed: restore the file, or use --first-start if no server has served this store before`,
  );
}
