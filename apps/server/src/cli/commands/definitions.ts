import { addDefinitionCommands } from "@x/command-line";
import type { Command } from "commander";
import type { Context } from "../context.ts";

const MAN_TEXTS = {
  purpose: "publish lists of URLs, and serve them to Safe Browsing clients",
  exitStatus: [
    ["0", "Success."],
    ["1", "A source was refused, or would remove too much, so that some list was not published."],
    ["2", "The command failed."],
  ],
  environment: [
    [
      "HTTP_PROXY, HTTPS_PROXY, NO_PROXY",
      "The proxies for connections to servers, and the hosts that are asked directly.",
    ],
  ],
} as const;

/** Registers `completion`, `man` and `help`, which are generated from the definitions of the other commands. */
export function registerDefinitions(program: Command, { io }: Context): void {
  addDefinitionCommands(program, (text) => void io.stdout.write(text), MAN_TEXTS);
}
