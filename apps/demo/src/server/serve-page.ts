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

/** Waits for the first signal. The second one ends the process, because nothing handles it any more. */
function stopSignal(): { readonly received: Promise<void>; ignore(): void } {
  let resolve: () => void;
  const received = new Promise<void>((done) => {
    resolve = done;
  });
  const ignore = (): void => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  const stop = (): void => {
    ignore();
    resolve();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return { received, ignore };
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
 * Serves the page until the process is told to stop, and writes its address. It does not wait until somebody reads the
 * address.
 *
 * @throws {Failure} when the server cannot start, or the address cannot be written.
 */
export async function servePage(
  options: ServerOptions,
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output },
): Promise<void> {
  const server = await start(options);
  const signal = stopSignal();
  async function tellAddress(): Promise<void> {
    await tell(stdout, `${server.url}\n`);
    await tell(stderr, "urlhash: serving the page; Ctrl-C stops\n");
  }
  try {
    await Promise.race([tellAddress(), signal.received]);
    await signal.received;
  } finally {
    signal.ignore();
    await server.stop();
  }
}
