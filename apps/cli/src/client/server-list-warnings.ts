import type { ClientStatus } from "@x/client";
import { emptyListText } from "../input/list-warnings.ts";
import { clientErrorText } from "./open-client.ts";
import type { ServerOptions } from "./server-options.ts";

/** Returns warnings about empty lists and about lists that the server does not have. */
export function serverListWarnings(
  { lists }: Pick<ClientStatus, "lists">,
  options: Pick<ServerOptions, "lists">,
): readonly string[] {
  return lists.flatMap(({ name, version, size, problem, error }) => {
    if (problem === "list-unknown") return [clientErrorText(error!, options)];
    return version !== null && size === 0 ? [emptyListText(name)] : [];
  });
}
