import { createServer, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { listen } from "../support/listen.js";

/**
 * Faults by ascending limit. The first one whose limit is above the random number of a request occurs. If there is no
 * such fault, the request is passed on unchanged.
 */
const FAULTS = [
  [0.03, "500 at once"],
  [0.06, "503 at once"],
  [0.08, "cut at once"],
  [0.1, "500 when it was done"],
  [0.12, "cut when it was done"],
  [0.14, "cut in the answer"],
  [0.2, "slow"],
  [0.22, "hangs, and is cut"],
];

/**
 * A proxy in front of the server at `target`. Until it is told to stop, requests fail according to the numbers from
 * `random`.
 */
export async function faultProxy(target, random) {
  const counts = {};
  let isFaulty = true;

  function pass({ method, url, headers }, body) {
    return new Promise((resolve, reject) => {
      const sent = request(new URL(url, target), { method, headers }, async (answer) => {
        const pieces = await answer.toArray().catch(reject);
        resolve({
          status: answer.statusCode,
          headers: answer.headers,
          body: Buffer.concat(pieces ?? []),
        });
      });
      sent.on("error", reject).end(body);
    });
  }

  async function answer(asked, response) {
    const number = random();
    const fault = isFaulty ? FAULTS.find(([share]) => number < share)?.[1] : undefined;
    const [wait, at] = [random(), random()];
    if (fault !== undefined) counts[fault] = (counts[fault] ?? 0) + 1;
    const body = Buffer.concat(await asked.toArray());
    if (fault === "500 at once") return response.writeHead(500).end();
    if (fault === "503 at once") return response.writeHead(503, { "retry-after": "0" }).end();
    if (fault === "cut at once") return response.destroy();
    if (fault === "hangs, and is cut") {
      await pause(wait * 2000);
      return response.destroy();
    }
    if (fault === "slow") await pause(wait * 500);
    const answered = await pass(asked, body);
    if (fault === "500 when it was done") return response.writeHead(500).end();
    if (fault === "cut when it was done") return response.destroy();
    response.writeHead(answered.status, answered.headers);
    if (fault === undefined) return response.end(answered.body);
    const half = Math.floor(at * answered.body.length);
    response.write(answered.body.subarray(0, half));
    if (fault === "cut in the answer") return response.destroy();
    await pause(wait * 200);
    return response.end(answered.body.subarray(half));
  }

  const server = createServer((asked, response) => {
    answer(asked, response).catch(() => response.destroy());
  });
  return {
    ...(await listen(server)),
    /** The number of times that each fault has occurred. */
    counts,
    heal() {
      isFaulty = false;
    },
  };
}
