import { join } from "node:path";
import { background } from "./background.js";
import { scriptOf, URLHASH_SERVER, withPath, writeScripts } from "./commands.js";

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
  writeScripts(bin, { "urlhash-server": scriptOf(URLHASH_SERVER), ...standIns });

  const start = (script, { cwd, env = {} }) =>
    background("bash", ["-e", "-o", "pipefail", "-c", script], {
      cwd,
      env: { ...withPath(bin), ...env },
    });

  return {
    /** Runs a script, and returns its output. */
    async run(script, options) {
      const { ended, said } = start(script, options);
      const status = await ended;
      if (status === 0) return said();
      throw new Error(`${script}\nended with status ${status}: ${said()}`);
    },
    /** Starts a script that ends with `urlhash-server serve`, and returns its address and a function that stops it. */
    async serve(script, options) {
      const lines = script.trimEnd().split("\n");
      const last = `exec ${lines.pop()} --port 0`;
      const { said, stop, until } = start([...lines, last].join("\n"), options);
      const [, origin] = await until("the server", () => /serving .* at (http\S+)/.exec(said()));
      return { origin, stop };
    },
  };
}
