import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { setTimeout as pause } from "node:timers/promises";

const PER_SECOND = 200;
const TICK = 10;

/**
 * Sends 200 requests a second to a URL, without waiting for the answers to earlier ones.
 *
 * `stop` sends no more, waits for the answers to all that were sent, and returns how many were answered with 200, and
 * the problem with each of the others.
 *
 * @param {string} url
 * @param {import("node:https").RequestOptions} options
 * @returns {{ answered(): number; stop(): Promise<{ answered: number; failures: string[] }> }}
 */
export function steadyLoad(url, options) {
  const send = url.startsWith("https:") ? httpsRequest : httpRequest;
  /** @type {string[]} */
  const failures = [];
  /** @type {Set<Promise<void>>} */
  const open = new Set();
  let answered = 0;
  let isStopped = false;

  /** @returns {Promise<void>} */
  const ask = () =>
    new Promise((resolve) => {
      /** @param {string | null} problem */
      const settle = (problem) => {
        if (problem === null) answered++;
        else failures.push(problem);
        resolve();
      };
      const request = send(url, options, (response) => {
        const { statusCode } = response;
        response
          .resume()
          .once("end", () => settle(statusCode === 200 ? null : `status ${statusCode}`))
          .once("error", ({ message }) => settle(message));
      });
      request
        .once("error", (error) => {
          // The server may close an idle connection while a request is on its way. All clients send such a request
          // again (RFC 9110 §9.2.2).
          const isIdleClose =
            "code" in error && error.code === "ECONNRESET" && request.reusedSocket;
          if (isIdleClose) ask().then(resolve);
          else settle(error.message);
        })
        .end();
    });

  async function run() {
    const start = performance.now();
    let sent = 0;
    while (!isStopped) {
      const due = ((performance.now() - start) / 1000) * PER_SECOND;
      for (; sent < due; sent++) {
        const asked = ask().finally(() => open.delete(asked));
        open.add(asked);
      }
      await pause(TICK);
    }
    await Promise.all(open);
  }

  const done = run();
  return {
    answered: () => answered,
    async stop() {
      isStopped = true;
      await done;
      return { answered, failures };
    },
  };
}
