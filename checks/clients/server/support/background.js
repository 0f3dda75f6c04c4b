import { spawn } from "node:child_process";
import { waitFor } from "./wait-for.js";

/** Starts a program that runs beside the tests, with the options of `spawn`. */
export function background(path, args, options = {}) {
  const child = spawn(path, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  }
  const ended = new Promise((resolve) => child.once("close", resolve));

  function mustRun() {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${path}: ${said}`);
  }

  /** Ends the program, unless it has ended, and returns its exit status. */
  function stop(signal = "SIGTERM") {
    child.kill(signal);
    return ended;
  }

  return {
    child,
    /** The exit status, once the program has ended. */
    ended,
    /** What the program has written so far. */
    said: () => said,
    /** Throws when the program has ended, with its output. */
    mustRun,
    stop,
    /**
     * Waits for a condition, as `waitFor` does. If the program ends before, or it takes too long, stops the program.
     */
    async until(what, condition) {
      try {
        return await waitFor(what, () => {
          mustRun();
          return condition();
        });
      } catch (error) {
        await stop("SIGKILL");
        throw error;
      }
    },
  };
}
