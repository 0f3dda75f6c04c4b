import type { Io } from "../../context.ts";
import { Failure } from "../../failure.ts";
import { readKey } from "../../input/api-key.ts";
import type { ListPlace } from "../../input/watch-lists.ts";
import type { VerdictOptions } from "../options.ts";
import { listVerdicts } from "./list-verdicts.ts";
import { serverVerdicts } from "./server-verdicts.ts";
import type { VerdictSource } from "./verdict.ts";

/** The options that choose where verdicts come from. */
export interface SourceOptions extends VerdictOptions {
  readonly listsFrom?: string;
  readonly server?: URL;
  readonly keyFile?: string;
  /** In milliseconds. */
  readonly timeout: number;
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
