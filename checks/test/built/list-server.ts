import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ROOT } from "../repository.ts";

export const SERVER: string = join(ROOT, "apps/server/bin/urlhash-server.js");
export const URLHASH: string = join(ROOT, "apps/cli/bin/urlhash.js");

/** The address that `urlhash-server serve` prints. */
export async function addressOf(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const piece of child.stderr!) {
    text += piece;
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(text);
}

/** A store in a folder of its own, for which the built command can be run. All of it is gone after the test. */
export function listServer() {
  const folder = mkdtempSync(join(tmpdir(), "list-server-"));
  const children: ChildProcess[] = [];
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const path = (name: string): string => join(folder, name);
  const store = path("store");
  const run = (...argv: string[]) =>
    execFileSync(process.execPath, [SERVER, ...argv], { cwd: folder, stdio: "pipe" });
  run("init", "--store", store);

  return {
    path,
    store,
    run,
    publish(list: string, urls: readonly string[]): void {
      writeFileSync(path(`${list}.txt`), urls.map((url) => `${url}\n`).join(""));
      run("publish", "--store", store, `${list}=${list}.txt`);
    },
    /** Starts the server. `end` stops it and returns its log, which is complete then. */
    async serve(...options: string[]) {
      const argv = [SERVER, "serve", "--store", store, "--port", "0", ...options];
      const child = spawn(process.execPath, argv, { cwd: folder });
      children.push(child);
      let log = "";
      child.stdout.on("data", (piece) => {
        log += piece;
      });
      const ended = once(child, "close");
      const origin = await addressOf(child);
      const end = async (): Promise<string> => {
        child.kill("SIGTERM");
        await ended;
        return log;
      };
      return { origin, end };
    },
  };
}
