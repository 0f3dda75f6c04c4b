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

/** What is still running; a test that fails leaves it until its folder is removed. */
const running = new Set<ChildProcess>();

/** A run of the built command; what it prints can be watched. */
export interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

export function start(folder: string, ...args: string[]): Run {
  return watched(spawn(process.execPath, [COMMAND, ...args], { cwd: folder, stdio: "pipe" }));
}

/** Watches a process with pipes, which ends at the latest when the folder is removed. */
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

/** A folder that is removed with everything in it, once everything that runs has ended. */
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

/** Waits until a condition returns something truthy, and returns that. */
export async function waitFor<T>(what: string, condition: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + 120_000;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A server on a free port, ready to answer. */
export async function serve(folder: string, ...args: string[]): Promise<Run & { origin: string }> {
  const server = start(folder, "serve", "--port", "0", "--poll", "1s", ...args);
  const origin = await waitFor("the server to listen", () => {
    const said = /serving .* at (https?:\S+)/.exec(server.stderr());
    if (said === null && server.child.exitCode !== null) throw new Error(server.stderr());
    return said?.[1];
  });
  return { ...server, origin: origin! };
}
