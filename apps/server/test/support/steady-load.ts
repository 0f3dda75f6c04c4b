import { type Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { setTimeout as pause } from "node:timers/promises";

const PER_SECOND = 200;
const TICK = 10;

/** What became of the requests. */
export interface LoadResult {
  readonly answered: number;
  /** What went wrong, for each request that was not answered with 200. */
  readonly failures: readonly string[];
}

export interface Load {
  readonly answered: () => number;
  /** Sends no more requests, and waits for the answers to all that were sent. */
  stop(): Promise<LoadResult>;
}

/** Sends 200 requests a second to a URL, whatever becomes of the earlier ones. */
export function steadyLoad(url: string, options: { readonly agent: Agent; ca?: Buffer[] }): Load {
  const send = url.startsWith("https:") ? httpsRequest : httpRequest;
  const failures: string[] = [];
  const open = new Set<Promise<void>>();
  let answered = 0;
  let isStopped = false;

  async function ask(): Promise<void> {
    const body = await new Promise<string>((resolve, reject) => {
      send(url, options, (response: IncomingMessage) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response
          .resume()
          .once("end", () => resolve(""))
          .once("error", reject);
      })
        .once("error", reject)
        .end();
    }).catch((error: Error) => error.message);
    if (body === "") answered++;
    else failures.push(body);
  }

  async function run(): Promise<void> {
    const start = performance.now();
    let sent = 0;
    while (!isStopped) {
      const due = ((performance.now() - start) / 1000) * PER_SECOND;
      for (; sent < due; sent++) {
        const asked: Promise<void> = ask().finally(() => open.delete(asked));
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
