import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { waitFor } from "./wait-for.js";

const COMMAND = fileURLToPath(
  new URL("../../../../apps/server/bin/urlhash-server.js", import.meta.url),
);

/** The blocks of a document that are written for a shell. */
export function shellBlocks(document) {
  return [...document.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
}

/**
 * A shell that knows `urlhash-server` and stand-ins for other commands, given as scripts. A script stops at the first
 * command that fails.
 */
export function shell(folder, standIns = {}) {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const scripts = {
    "urlhash-server": `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(COMMAND)} "$@"`,
    ...standIns,
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const environment = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };

  function start(script, { cwd, env = {} }) {
    const child = spawn("bash", ["-e", "-o", "pipefail", "-c", script], {
      ...{ cwd, env: { ...environment, ...env } },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].on("data", (data) => {
        said[name] += data;
      });
    }
    const ended = new Promise((resolve) => child.once("close", resolve));
    return { child, said, ended };
  }

  return {
    /** Runs a script, and returns its output. */
    async run(script, options) {
      const { said, ended } = start(script, options);
      const status = await ended;
      if (status === 0) return said.stdout;
      throw new Error(`${script}\nended with status ${status}: ${said.stderr}`);
    },
    /** Starts a script that ends with `urlhash-server serve`, and returns its address and a function that stops it. */
    async serve(script, options) {
      const lines = script.trimEnd().split("\n");
      const last = `exec ${lines.pop()} --port 0`;
      const { child, said, ended } = start([...lines, last].join("\n"), options);
      const stop = async () => {
        child.kill("SIGTERM");
        return ended;
      };
      try {
        const [, origin] = await waitFor("the server", () => {
          if (child.exitCode !== null) throw new Error(said.stderr);
          return /serving .* at (http\S+)/.exec(said.stderr);
        });
        return { origin, stop };
      } catch (error) {
        await stop();
        throw error;
      }
    },
  };
}
