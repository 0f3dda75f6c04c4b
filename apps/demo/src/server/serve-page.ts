import { ClosedPipe, Failure, type Output, reasonOf } from "@x/cli";
import { type RunningServer, type ServerOptions, startServer } from "./start-server.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

async function start(options: ServerOptions): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Failure(`cannot serve on port ${options.port}: ${reasonOf(error)}`);
  }
}

/** Resolves at the first signal. The second one ends the process, because nothing handles it any more. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of SIGNALS) process.off(signal, stop);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
}

/** Writes if anybody still reads. The page is served even if nobody does. */
async function tell(output: Output, text: string): Promise<void> {
  try {
    await output.write(text);
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error;
  }
}

/**
 * Serves the page until the process is told to stop, and writes its address.
 *
 * @throws {Failure} when the server cannot start.
 */
export async function servePage(
  options: ServerOptions,
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output },
): Promise<void> {
  const server = await start(options);
  const stopped = stopSignal();
  await tell(stdout, `${server.url}\n`);
  await tell(stderr, "urlhash: serving the page; Ctrl-C stops\n");
  await stopped;
  await server.stop();
}
