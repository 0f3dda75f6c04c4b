import type { ReplyHead } from "./http/reply.ts";
import { memoized } from "./memoized.ts";

type Facts = Readonly<Record<string, unknown>>;

/** A log of JSON lines, as `pino` writes them. It never contains anything that a client chose. */
export interface ServerLog {
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
  /** Logs a request that was answered, with the bytes of the answer's body. */
  request(
    reply: Omit<ReplyHead, "headers">,
    method: string,
    bytes: number,
    milliseconds: number,
  ): void;
}

/** Where a log goes. */
export interface LogDestination {
  write(text: string): void;
}

const LEVELS = { info: 30, warn: 40, error: 50 } as const;
const END = ',"msg":"request"}\n';

/** The members of a JSON object with these facts. */
export function logFields(facts: Facts): string {
  return JSON.stringify(facts).slice(1, -1);
}

export function createLog(destination: LogDestination, now: () => number = Date.now): ServerLog {
  const startOf = (level: keyof typeof LEVELS, time: number) =>
    `{"level":${LEVELS[level]},"time":"${new Date(time).toISOString()}",`;
  const writer =
    (level: keyof typeof LEVELS) =>
    (message: string, facts: Facts = {}) =>
      destination.write(`${startOf(level, now())}${logFields({ ...facts, msg: message })}}\n`);
  /** The parts of lines that do not change, by method, route and status. */
  const heads = memoized((method: string) =>
    memoized((route: string) =>
      memoized((status: number) => logFields({ method: method.slice(0, 8), route, status })),
    ),
  );
  let lastTime = Number.NaN;
  let start = "";
  return {
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
    request({ route, status, facts }, method, bytes, milliseconds) {
      const time = now();
      if (time !== lastTime) {
        lastTime = time;
        start = startOf("info", time);
      }
      const known = typeof facts === "string" ? facts : logFields(facts ?? {});
      const ms = Math.round(milliseconds * 100) / 100;
      const end = known === "" ? END : `,${known}${END}`;
      destination.write(
        `${start}${heads(method)(route)(status)},"bytes":${bytes},"ms":${ms}${end}`,
      );
    },
  };
}
