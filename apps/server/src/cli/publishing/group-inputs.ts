import { existsSync } from "node:fs";
import { fileState } from "../../storage/file-state.ts";
import type { Group, Publisher } from "./publish-lists.ts";

/** A fingerprint of all inputs of a group and the size of its sources in bytes. */
export interface Inputs {
  readonly state: string;
  readonly bytes: number;
}

/** Returns the inputs of a group, or `null` until the first fetches of its sources have ended. */
export async function inputsOf(
  group: Group,
  { sources, files }: Publisher,
): Promise<Inputs | null> {
  const parts: string[] = [];
  let bytes = 0;
  const add = async (file: string) => {
    const found = await fileState(file);
    parts.push(found.state);
    return found.bytes;
  };
  for (const file of [...files.exceptFiles, ...files.neverBlockFiles]) await add(file);
  // When a store that was missing is back, publishing goes on at once.
  if (files.address.kind === "directory") parts.push(`${existsSync(files.address.directory)}`);
  for (const settings of group) {
    const fetched = sources.fetchState(settings);
    if (fetched === null) return null;
    parts.push(fetched);
    bytes += sources.fetchedBytes(settings);
    for (const file of sources.filesOf(settings)) bytes += await add(file);
    for (const file of [...settings.exceptFiles, ...settings.neverBlockFiles]) await add(file);
  }
  return { state: parts.join("\n"), bytes };
}
