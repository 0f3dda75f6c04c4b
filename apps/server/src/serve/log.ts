import type { ReplyHead } from "./http/reply.ts";
import { memoized } from "./http/reply.ts";

type Facts = Readonly<Record<string, unknown>>;

/** A log of JSON lines, as `pino` writes them. No client can choose a value in the log. */
export interface ServerLog {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
  /** Logs an answered request. `bytes` is the length of the answer's body. */
  request(
    reply: Omit<ReplyHead, "headers">,
    method: string,
    bytes: number,
    milliseconds: number,
  ): void;
}

export interface LogDestination {
  write(text: string): void;
}

const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: Infinity } as const;

/** The lowest level of lines that are logged. */
export type LogLevel = keyof typeof LEVELS;
export const LOG_LEVELS: readonly LogLevel[] = Object.keys(LEVELS) as LogLevel[];

export interface LoggedRequests {
  /** The logged share of all requests, from 0 to 1. */
  readonly share: number;
  /** Whether to log every request that the server failed to answer (status 500 and above). */
  readonly failures: boolean;
}

const ALL_REQUESTS: LoggedRequests = { share: 1, failures: true };

/** Parses `all`, `errors`, `none`, or a share such as `1%`; returns `null` for anything else. */
export function parseLoggedRequests(text: string): LoggedRequests | null {
  switch (text) {
    case "all":
      return ALL_REQUESTS;
    case "errors":
      return { share: 0, failures: true };
    case "none":
      return { share: 0, failures: false };
  }
  const [, percent] = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(text) ?? [];
  return percent === undefined || Number(percent) > 100
    ? null
    : { share: Number(percent) / 100, failures: true };
}

export interface LogOptions {
  readonly level?: LogLevel;
  readonly requests?: LoggedRequests;
  /** The number of this process, if it is one of several. */
  readonly process?: number | undefined;
  readonly now?: () => number;
  /** Returns a number from 0 up to but not including 1, which decides whether a request is logged. */
  readonly random?: () => number;
}

const END = ',"msg":"request"}\n';

/** The facts as the members of a JSON object, without braces. */
export function logFields(facts: Facts): string {
  return JSON.stringify(facts).slice(1, -1);
}

export function createLog(
  destination: LogDestination,
  {
    level: least = "info",
    requests = ALL_REQUESTS,
    process,
    now = Date.now,
    random = Math.random,
  }: LogOptions = {},
): ServerLog {
  const source = process === undefined ? "" : `"process":${process},`;
  const startOf = (level: LogLevel, time: number) =>
    `{"level":${LEVELS[level]},"time":"${new Date(time).toISOString()}",${source}`;
  const writer = (level: LogLevel) => {
    if (LEVELS[level] < LEVELS[least]) return () => {};
    return (message: string, facts: Facts = {}) =>
      destination.write(`${startOf(level, now())}${logFields({ ...facts, msg: message })}}\n`);
  };
  /** The parts of lines that do not change, by method, route and status. */
  const heads = memoized((method: string) =>
    memoized((route: string) =>
      memoized((status: number) => logFields({ method: method.slice(0, 8), route, status })),
    ),
  );
  const logsRequests = LEVELS.info >= LEVELS[least];
  let lastTime = Number.NaN;
  let start = "";
  return {
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
    request({ route, status, facts }, method, bytes, milliseconds) {
      if (!logsRequests) return;
      const isFailure = requests.failures && status >= 500;
      if (requests.share < 1 && !isFailure && random() >= requests.share) return;
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
