import { once } from "node:events";
import type { ClosedPipe, Output } from "@x/cli";
import { Failure } from "@x/command-line";
import { listenProblem, reasonOf } from "@x/command-line/node";
import { hasName } from "@x/sha256-prefix/has-name";
import { type RunningServer, type ServerOptions, startServer } from "./start-server.ts";

/** The default port, which is easy to recognize. */
export const USUAL_PORT = 8017;

export interface PageOptions extends Omit<ServerOptions, "port"> {
  /** By default, the port is `usualPort`, or any free port if that one is taken. */
  readonly port?: number | undefined;
  /** {@link USUAL_PORT} by default. */
  readonly usualPort?: number;
}

async function start(options: PageOptions): Promise<RunningServer> {
  const { usualPort = USUAL_PORT, port = usualPort } = options;
  try {
    return await startServer({ ...options, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === "EADDRINUSE" && options.port === undefined) return start({ ...options, port: 0 });
    const { host = "127.0.0.1" } = options;
    throw new Failure(listenProblem(error, host) ?? `cannot serve the page: ${reasonOf(error)}`);
  }
}

/** Writes a message. If nobody reads the output any more, the page is still served. */
async function tell(output: Output, text: string): Promise<void> {
  try {
    await output.write(text);
  } catch (error) {
    if (!hasName<ClosedPipe>(error, "ClosedPipe")) throw error;
  }
}

/**
 * Serves the page until the process is told to stop, and writes the address of the page. The server runs even if nobody
 * reads the address.
 *
 * @param show writes about the page at `url`; by default, only the address.
 * @throws {Failure} when the server cannot start, or the address cannot be written.
 */
export async function servePage(
  options: PageOptions,
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output },
  show: (url: string) => Promise<void> = (url) => tell(stdout, `${url}\n`),
): Promise<void> {
  const server = await start(options);
  const done = new AbortController();
  // A second signal ends the process, because nothing handles it any more.
  const stopped = Promise.race(
    ["SIGINT", "SIGTERM"].map((name) => once(process, name, { signal: done.signal })),
  );
  async function showAll(): Promise<void> {
    await show(server.url);
    await tell(stderr, "urlhash: serving the page; Ctrl-C stops\n");
  }
  try {
    await Promise.race([showAll(), stopped]);
    await stopped;
  } finally {
    done.abort();
    await server.stop();
  }
}
