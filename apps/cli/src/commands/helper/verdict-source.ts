import type { ProtocolName } from "@x/client";
import { Failure } from "@x/command-line";
import type { ServerOptions } from "../../client/server-options.ts";
import type { Context } from "../../context.ts";
import { readKey } from "../../input/api-key.ts";
import type { ListPlace } from "../../input/watch-lists.ts";
import { flagOf, type VerdictOptions } from "../options.ts";
import { listVerdicts } from "./list-verdicts.ts";
import { serverVerdicts } from "./server-verdicts.ts";
import type { VerdictSource } from "./verdict.ts";

/** The options that choose where verdicts come from. */
export interface VerdictSourceOptions
  extends VerdictOptions,
    Omit<ServerOptions, "server" | "protocol"> {
  readonly listsFrom?: string;
  readonly server?: URL;
  /**
   * With `lookup`, the helper asks the server about each URL. With the other protocols, the helper keeps the server's
   * lists in a folder.
   */
  readonly protocol: ProtocolName | "lookup";
  /** The timeout for the server, in milliseconds. */
  readonly timeout: number;
}

/** @throws {Failure} when an option in `given` is set. */
function refuse(given: Readonly<Record<string, unknown>>, why: string): void {
  const name = Object.keys(given).find((key) => given[key] !== undefined);
  if (name === undefined) return;
  throw new Failure(`${flagOf(name)} ${why}`);
}

/** @throws {Failure} when the options do not name exactly one source of verdicts, or cannot be combined. */
export async function verdictSource(
  options: VerdictSourceOptions,
  context: Context,
  tell: (line: string) => void,
): Promise<VerdictSource> {
  const { list, listsFrom, safeList, server, protocol, timeout } = options;
  if ([list, listsFrom, server].filter((given) => given !== undefined).length !== 1) {
    throw new Failure("name lists with --list or --lists-from, or a server with --server");
  }
  const { keyFile, publicKey, database, lists } = options;
  if (server === undefined) {
    refuse({ keyFile, publicKey, database, lists }, "needs --server");
    if (protocol !== "lookup") throw new Failure("--protocol needs --server");
    const places: ListPlace = listsFrom === undefined ? { files: list! } : { folder: listsFrom };
    return listVerdicts({ lists: places, safeLists: safeList ?? [] }, tell);
  }
  if (protocol !== "lookup") {
    // The client is loaded only when it is needed, so that other helpers start fast.
    const { keptListVerdicts } = await import("./kept-list-verdicts.ts");
    const kept = { ...options, server: server.href, protocol };
    return keptListVerdicts(kept, timeout, context, tell);
  }
  refuse({ publicKey, database, lists }, "needs --protocol, such as --protocol v5");
  return serverVerdicts({ server, key: await readKey(keyFile, context.io.env), timeout }, tell);
}
