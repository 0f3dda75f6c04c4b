import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "@x/test-support/process-streams";
import { afterEach, beforeEach } from "vitest";
import { type Run, serve, temporaryFolder } from "./command.ts";
import { runHere } from "./command-in-process.ts";

export interface ServedFolder {
  readonly path: string;
  /** Returns the path of a file in the store. */
  readonly storeFile: (...path: string[]) => string;
  /** Publishes a version of malware with these hosts below `.example`. */
  readonly publish: (...names: string[]) => Promise<Ran>;
  /** Starts a server with these options, which ends with the test. */
  readonly serving: (...args: string[]) => Promise<Run & { origin: string }>;
  /** Starts a server of the store, which ends with the test. */
  readonly started: (...args: string[]) => Promise<Run & { origin: string }>;
}

/** Makes a folder for each test, with a store that has one version of malware. */
export function servedFolder(): ServedFolder {
  let folder: ReturnType<typeof temporaryFolder>;
  let servers: Run[] = [];
  const publish: ServedFolder["publish"] = (...names) => {
    const lines = names.map((name) => `http://${name}.example/\n`);
    writeFileSync(join(folder.path, "urls.txt"), lines.join(""));
    return runHere(folder.path, "publish", "--store", "lists", "malware=urls.txt");
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    servers = [];
    await runHere(folder.path, "init", "--store", "lists");
    await publish("a");
  });
  afterEach(async () => {
    for (const { child } of servers) child.kill("SIGKILL");
    await Promise.all(servers.map(({ ended }) => ended));
    folder.remove();
  });
  const serving: ServedFolder["serving"] = async (...args) => {
    const server = await serve(folder.path, ...args);
    servers.push(server);
    return server;
  };
  return {
    get path() {
      return folder.path;
    },
    storeFile: (...path) => join(folder.path, "lists", ...path),
    publish,
    serving,
    started: (...args) => serving("--store", "lists", ...args),
  };
}

export async function get(origin: string, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(origin + path);
  return { status: response.status, text: await response.text() };
}
