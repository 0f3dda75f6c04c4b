import { type Command, InvalidArgumentError } from "commander";
import { servePage } from "../../server/serve-page.ts";
import type { Context } from "../context.ts";

interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** `--no-wasm` */
  readonly wasm: boolean;
}

const MAX_PORT = 65_535;

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > MAX_PORT) {
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${MAX_PORT}.`);
  }
  return port;
}

const HELP = `
The page does all its work in the browser; the server only hands out its files,
and answers /healthz. It listens on this machine alone unless --host says
otherwise. It stops at SIGINT (Ctrl-C) or SIGTERM, when it has answered what was
asked; at a second one it stops at once.

Exit status: 0 stopped, 2 not started.

Examples:
  $ urlhash serve
  $ urlhash serve --port 0 --no-wasm`;

export function registerServe(program: Command, context: Context): void {
  program
    .command("serve")
    .summary("a page that shows all this in the browser")
    .description("Serve the page, until it is stopped.")
    .option("--port <n>", "the port to listen on; 0 for any that is free", parsePort, 8017)
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("--no-wasm", "forbid the page WebAssembly, so that it runs on JavaScript alone")
    .addHelpText("after", HELP)
    .action(async ({ port, host, wasm }: ServeOptions) => {
      await servePage({ port, host, allowsWebAssembly: wasm }, context);
    });
}
