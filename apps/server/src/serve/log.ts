import { type Logger, pino } from "pino";
import type { ReplyHead } from "./http/reply.ts";
import { memoized } from "./memoized.ts";

/** A log of JSON lines. It never contains anything that a client chose. */
export interface ServerLog extends Pick<Logger, "info" | "warn" | "error"> {
  /** Logs a request that was answered, with the bytes of the answer's body. */
  request(reply: ReplyHead, method: string, bytes: number, milliseconds: number): void;
}

/** Where a log goes. */
export interface LogDestination {
  write(text: string): void;
}

const INFO = 30;
const END = ',"msg":"request"}\n';

/** The members of a JSON object with these facts. */
export function logFields(facts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(facts).slice(1, -1);
}

export function createLog(destination: LogDestination, now: () => number = Date.now): ServerLog {
  const timestamp = () => `,"time":"${new Date(now()).toISOString()}"`;
  const logger = pino({ base: null, timestamp }, destination);
  /** The constant part of a line, by method, route and status. */
  const heads = memoized((method: string) =>
    memoized((route: string) =>
      memoized((status: number) => logFields({ method: method.slice(0, 8), route, status })),
    ),
  );
  let lastTime = Number.NaN;
  let start = "";
  return {
    info: logger.info.bind(logger),
    warn: logger.warn.bind(logger),
    error: logger.error.bind(logger),
    request({ route, status, facts }, method, bytes, milliseconds) {
      const time = now();
      if (time !== lastTime) {
        lastTime = time;
        start = `{"level":${INFO}${timestamp()},`;
      }
      // What pino would write, in a fifth of the time.
      const known = typeof facts === "string" ? facts : logFields(facts ?? {});
      const ms = Math.round(milliseconds * 100) / 100;
      const end = known === "" ? END : `,${known}${END}`;
      destination.write(
        `${start}${heads(method)(route)(status)},"bytes":${bytes},"ms":${ms}${end}`,
      );
    },
  };
}
