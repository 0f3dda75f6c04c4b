import { randomBytes } from "node:crypto";
import { checkListName } from "@x/list-store";
import type { Command } from "commander";
import { hashApiKey } from "../../serve/api-keys.ts";
import type { Context } from "../context.ts";

const KEY_BYTES = 24;

export function registerKey(program: Command, { print }: Context): void {
  program
    .command("key")
    .description("make an API key for private lists")
    .argument("<NAME...>", "the lists that the key opens")
    .action((lists: string[]) => {
      lists.forEach(checkListName);
      const key = randomBytes(KEY_BYTES).toString("base64url");
      print(`The key, for the client (it is shown only once):

  ${key}

The reader, for the settings of the server, with a name of your choice:

readers:
  somebody:
    key-sha256: ${hashApiKey(key)}
    lists: [${lists.join(", ")}]`);
    });
}
