import { readFile } from "node:fs/promises";
import { type Context, FAILED } from "@x/cli";
import { Failure, isCommanderError } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { hasName } from "@x/sha256-prefix/has-name";
import { Command, InvalidArgumentError } from "commander";
import { type PageSettings, parsePageSettings } from "../page-settings.ts";
import { servePage, USUAL_PORT } from "../server/serve-page.ts";

interface ServeOptions {
  readonly port?: number;
  readonly host: string;
  readonly settings?: string;
}

const MAX_PORT = 65_535;

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > MAX_PORT) {
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${MAX_PORT}.`);
  }
  return port;
}

/** Reads the settings for the page. The store must be at a URL, because this server has no other files. */
async function readSettings(file: string): Promise<PageSettings> {
  try {
    const settings = parsePageSettings(await readFile(file, "utf8"));
    const { store } = settings;
    if (store === null || /^https?:$/.test(new URL(store.url).protocol)) return settings;
    throw new Error(`store.url: ${store.url} begins with neither https:// nor http://`);
  } catch (error) {
    throw new Failure(`cannot use the settings in ${file}: ${reasonOf(error)}`);
  }
}

const HELP = `
The page does all its work in the browser. The server only sends its files, and
answers /healthz. Only this machine can reach it, unless --host says otherwise.
With --settings, the page begins with the current list of a signed store, which
the server gets for it. Without a connection, it begins with the built-in list.
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
    .option(
      "--settings <file>",
      "the settings of the page, in JSON, as apps/demo/README.md has them",
    )
    .addHelpText("after", HELP)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(`urlhash: ${text.replace(/^error: /, "")}`),
    });
  try {
    command.parse(argv, { from: "user" });
    const { port, host, settings: file } = command.opts<ServeOptions>();
    const settings = file === undefined ? undefined : await readSettings(file);
    await servePage({ port, host, settings }, context);
    return 0;
  } catch (error) {
    if (isCommanderError(error)) return error.exitCode === 0 ? 0 : FAILED;
    if (!hasName<Failure>(error, "Failure")) throw error;
    await stderr.write(`urlhash: ${error.message}\n`);
    return FAILED;
  }
}
