import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const COMMAND: string = fileURLToPath(
  new URL("../../bin/urlhash-server.js", import.meta.url),
);

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The processes that are still running. A failed test leaves them until its folder is removed. */
const running = new Set<ChildProcess>();

/** A run of the built command. Its output can be read while it runs. */
export interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

export function start(folder: string, ...args: string[]): Run {
  return watched(spawn(process.execPath, [COMMAND, ...args], { cwd: folder, stdio: "pipe" }));
}

/** Collects the output of a process. Removing the folder kills the process if it is still running. */
export function watched(child: ChildProcess): Run {
  running.add(child);
  let [stdout, stderr] = ["", ""];
  child.stdout!.on("data", (data) => {
    stdout += data;
  });
  child.stderr!.on("data", (data) => {
    stderr += data;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (status) => {
      running.delete(child);
      resolve({ status, stdout, stderr });
    });
  });
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

export function run(folder: string, ...args: string[]): Promise<Ended> {
  return start(folder, ...args).ended;
}

/** Makes a folder. `remove` kills all processes that are still running, and removes the folder. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "urlhash-server-"));
  return {
    path,
    remove() {
      for (const child of running) child.kill("SIGKILL");
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Waits until a condition returns a truthy value, and returns that value. */
export async function waitFor<T>(what: string, condition: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + 120_000;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Starts a server on a free port, and waits until it listens. */
export async function serve(folder: string, ...args: string[]): Promise<Run & { origin: string }> {
  const server = start(folder, "serve", "--port", "0", "--set", "poll=1s", ...args);
  const origin = await waitFor("the server to listen", () => {
    const said = /serving .* at (https?:\S+)/.exec(server.stderr());
    if (said === null && server.child.exitCode !== null) throw new Error(server.stderr());
    return said?.[1];
  });
  return { ...server, origin: origin! };
}
