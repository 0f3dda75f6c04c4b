import { readFile } from "node:fs/promises";
import { printable } from "@x/explain/printable";
import type { Io } from "../../context.ts";
import { Failure, failTo } from "../../failure.ts";
import type { ListPlace } from "../../input/watch-lists.ts";
import type { VerdictOptions } from "../options.ts";
import { listVerdicts } from "./list-verdicts.ts";
import { serverVerdicts } from "./server-verdicts.ts";
import type { VerdictSource } from "./verdict.ts";

/** The environment variable that may hold the API key. */
export const KEY_VARIABLE = "URLHASH_SERVER_KEY";

/** The options that choose where verdicts come from. */
export interface SourceOptions extends VerdictOptions {
  readonly listsFrom?: string;
  readonly server?: URL;
  readonly keyFile?: string;
  /** In milliseconds. */
  readonly timeout: number;
}

/** The API key in a file or in the environment. @throws {Failure} */
async function readKey(file: string | undefined, env: Io["env"]): Promise<string | null> {
  let text = env[KEY_VARIABLE] ?? "";
  let place = KEY_VARIABLE;
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

/** The source of verdicts that the options name. @throws {Failure} when they name none, or two. */
export async function verdictSource(
  options: SourceOptions,
  env: Io["env"],
  tell: (line: string) => void,
): Promise<VerdictSource> {
  const { list, listsFrom, safeList, readings, server, keyFile, timeout } = options;
  if ([list, listsFrom, server].filter((given) => given !== undefined).length !== 1) {
    throw new Failure("name lists with --list or --lists-from, or a server with --server");
  }
  if (server === undefined) {
    if (keyFile !== undefined) throw new Failure("--key-file needs --server");
    const lists: ListPlace = listsFrom === undefined ? { files: list! } : { folder: listsFrom };
    return listVerdicts({ lists, safeLists: safeList ?? [], readings }, tell);
  }
  return serverVerdicts({ server, key: await readKey(keyFile, env), timeout }, tell);
}
