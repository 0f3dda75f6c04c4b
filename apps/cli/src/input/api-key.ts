import { readFile } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { failTo } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { Io } from "../context.ts";

/** The environment variable that may hold the API key of a server. */
export const KEY_VARIABLE = "URLHASH_SERVER_KEY";

/**
 * Reads the API key from a file or from the environment; `null` when there is no key.
 *
 * @throws {Failure} when the file cannot be read, or the key is not valid.
 */
export async function readKey(file: string | undefined, env: Io["env"]): Promise<string | null> {
  let text = env[KEY_VARIABLE] ?? "";
  let place: string = KEY_VARIABLE;
  if (file !== undefined) {
    place = printable(file);
    text = await readFile(file, "utf8").catch(failTo(`read ${place}`));
  }
  const key = text.trim();
  if (!/^[!-~]*$/.test(key) || (key === "" && file !== undefined)) {
    throw new Failure(`expected an API key in ${place}: printable ASCII without spaces`);
  }
  return key === "" ? null : key;
}
