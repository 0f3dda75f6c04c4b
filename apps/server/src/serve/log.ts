import { openSync, write, writeSync } from "node:fs";
import { printable } from "@x/explain/printable";
import { memoized, type ReplyHead } from "./http/reply.ts";

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

const LEVEL_NAMES = new Map(Object.entries(LEVELS).map(([name, number]) => [number, name]));
const WIDTH = 5;

/**
 * Returns a destination that writes lines of a JSON log as text for people: the time, the level, the message and the
 * other members, as in `2026-11-29 15:20:25Z info  request method=GET status=200`.
 */
export function logText(destination: LogDestination): LogDestination {
  return {
    write(text) {
      const lines = text.split("\n").map((line) => (line === "" ? "" : textOf(line)));
      destination.write(lines.join("\n"));
    },
  };
}

function textOf(line: string): string {
  const { level, time, msg, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const at = `${String(time).slice(0, 19).replace("T", " ")}Z`;
  const members = Object.entries(facts)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${wordOf(value)}`);
  const name = (LEVEL_NAMES.get(level as number) ?? String(level)).padEnd(WIDTH);
  return printable([at, name, String(msg), ...members].join(" "));
}

/** A value without spaces; a longer one is in quotation marks. */
function wordOf(value: unknown): string {
  return typeof value === "string" && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

/** A log file whose lines are written in batches. */
export interface LogFile extends LogDestination {
  /** Writes the remaining lines, and waits for a slow reader, but at most two seconds. */
  close(): Promise<void>;
}

/** A batch is written as soon as it has this many characters, or after {@link MAX_WAIT} milliseconds. */
const BATCH = 32_768;
const MAX_WAIT = 1000;
/** How many bytes may wait for a slow reader. Anything more is dropped. */
const MAX_WAITING_BYTES = 16 * 2 ** 20;
/** How long to wait before the next attempt if the reader reads nothing, in milliseconds. */
const RETRY = 100;
/** How long closing the log may wait for its reader, in milliseconds. */
const MAX_CLOSE = 2000;

/** Writes buffers to a file, one after the other. `onProblem` is called when writing begins to fail. */
function bufferWriter(descriptor: number, onProblem: (error: Error) => void) {
  /** The buffers to write, in order. The first one is being written. */
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isWriting = false;
  let hasProblem = false;
  let onEmpty = () => {};

  function report(error: Error): void {
    if (!hasProblem) onProblem(error);
    hasProblem = true;
  }

  function writeFirst(): void {
    isWriting = true;
    write(descriptor, waiting[0]!, (error, written) => {
      if (error?.code === "EAGAIN") return setTimeout(writeFirst, RETRY).unref();
      if (error !== null) report(error);
      take(error === null ? written : waiting[0]!.length);
      if (waiting.length > 0) return writeFirst();
      isWriting = false;
      if (error === null) hasProblem = false;
      onEmpty();
    });
  }

  /** Removes bytes that were written or dropped. */
  function take(bytes: number): void {
    waitingBytes -= bytes;
    const rest = waiting[0]!.subarray(bytes);
    if (rest.length === 0) waiting.shift();
    else waiting[0] = rest;
  }

  return {
    write(bytes: Buffer): void {
      if (waitingBytes + bytes.length > MAX_WAITING_BYTES) {
        report(new Error("its reader is too slow"));
        return;
      }
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (!isWriting) writeFirst();
    },
    /** The buffers that are waiting, without the one that is being written. */
    waiting: () => waiting.slice(isWriting ? 1 : 0),
    /** Waits until everything is written, but not longer than this many milliseconds. */
    async finish(milliseconds: number): Promise<void> {
      if (!isWriting) return;
      await new Promise<void>((resolve) => {
        const limit = setTimeout(resolve, milliseconds);
        onEmpty = () => {
          clearTimeout(limit);
          resolve();
        };
      });
    },
  };
}

/**
 * Opens a file for a log. A number is a file descriptor, such as 1 for standard output.
 *
 * If the log cannot be written, its lines are dropped until it can be written again, and the program goes on.
 * `onProblem` is called when lines begin to be dropped.
 */
export function logFile(file: string | number, onProblem: (error: Error) => void): LogFile {
  const descriptor = typeof file === "number" ? file : openSync(file, "a");
  let batch = "";
  let timer: NodeJS.Timeout | null = null;
  const writer = bufferWriter(descriptor, onProblem);

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const bytes = Buffer.from(batch);
    batch = "";
    if (bytes.length > 0) writer.write(bytes);
  }

  // The process may end without `close`, for example after an error.
  process.once("exit", () => {
    try {
      const rest = Buffer.concat([...writer.waiting(), Buffer.from(batch)]);
      if (rest.length > 0) writeSync(descriptor, rest);
    } catch {
      // The process is ending, so the error cannot be reported.
    }
  });

  return {
    write(text) {
      batch += text;
      if (batch.length >= BATCH) flush();
      else timer ??= setTimeout(flush, MAX_WAIT).unref();
    },
    async close() {
      flush();
      await writer.finish(MAX_CLOSE);
    },
  };
}
