import { type Context, FAILED } from "@x/cli";
import { type Failure, isCommanderError } from "@x/command-line";
import { hasName } from "@x/sha256-prefix/has-name";
import { Command, InvalidArgumentError } from "commander";
import { servePage, USUAL_PORT } from "../server/serve-page.ts";

interface ServeOptions {
  readonly port?: number;
  readonly host: string;
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
The page does all its work in the browser. The server only sends its files, and
answers /healthz. Only this machine can reach it, unless --host says otherwise.
SIGINT (Ctrl-C) or SIGTERM stops it when it has answered all requests; a second
one stops it at once.

Exit status: 0 stopped, 2 not started.

Examples:
  $ npm start -- serve
  $ npm start -- serve --port 0`;

/** `npm start -- serve`: serves the page. @returns the exit status. */
export async function serve(argv: readonly string[], context: Context): Promise<number> {
  const { io, stderr } = context;
  const command = new Command("npm start -- serve")
    .description("Serve the page until the server is stopped.")
    .option(
      "--port <n>",
      `the port; 0 for any free one (default: ${USUAL_PORT}, or any free one)`,
      parsePort,
    )
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .addHelpText("after", HELP)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(`urlhash: ${text.replace(/^error: /, "")}`),
    });
  try {
    command.parse(argv, { from: "user" });
    const { port, host } = command.opts<ServeOptions>();
    await servePage({ port, host }, context);
    return 0;
  } catch (error) {
    if (isCommanderError(error)) return error.exitCode === 0 ? 0 : FAILED;
    if (!hasName<Failure>(error, "Failure")) throw error;
    await stderr.write(`urlhash: ${error.message}\n`);
    return FAILED;
  }
}
