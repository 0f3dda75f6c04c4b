import cluster from "node:cluster";
import type { EventEmitter } from "node:events";
import process from "node:process";
import { Failure } from "@x/command-line";
import type { Reply } from "../../serve/http/reply.ts";
import type { AllProcesses } from "../../serve/operator-routes.ts";
import { STOPPING } from "../../serve/operator-routes.ts";
import type { SearchThrough } from "../../serve/upstream/upstream-searches.ts";
import type { Context } from "../context.ts";
import type { GivenSettings } from "../settings/settings-file.ts";
import { type OneOfMany, runServer } from "./run-server.ts";
import { PROCESS_NUMBER } from "./with-settings.ts";

/** Settings from the main process, or why it cannot read them. */
export type SentSettings = { readonly given: GivenSettings } | { readonly problem: string };

/** What a process gets when it starts. */
export interface Start {
  readonly given: GivenSettings;
  readonly isFirstStart: boolean;
}

/**
 * How long the main process may take to answer, in milliseconds. It waits for other processes for a part of this time.
 */
const MAIN_ANSWERS = 5000;
/** The number of the process that keeps the lists of other servers, and prints messages for people. */
export const FIRST = 1;

/** Serves as one of several processes. The main process has the settings, the signals, the log and the port. */
export async function runOneOfMany(context: Context): Promise<void> {
  const number = Number(context.io.env[PROCESS_NUMBER]);
  const main = exchangeMessages(process);
  // Service managers and terminals send signals to the whole group. The main process passes them on in its own order.
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, () => {});
  const stopSignal = new Promise<NodeJS.Signals>((resolve) => {
    main.onAsked("stop", resolve);
  });
  try {
    const start = (await main.ask("start", null, MAIN_ANSWERS)) as Start | undefined;
    if (start === undefined) throw new Failure("The main process does not answer");
    const { given, isFirstStart } = start;
    const oneOfMany: OneOfMany = {
      number,
      processes: allProcesses(main, number === FIRST),
      stopSignal,
      onServing: () => void main.ask("serving", null, MAIN_ANSWERS),
    };
    await runServer(
      { given, ...settingsOfMain(main) },
      isFirstStart,
      contextOf(context, number),
      oneOfMany,
    );
  } finally {
    cluster.worker?.disconnect();
  }
}

/** The settings that the main process reads again. */
function settingsOfMain(main: Messages) {
  let sent: SentSettings;
  return {
    async readAgain(): Promise<GivenSettings> {
      if ("problem" in sent) throw new Failure(sent.problem);
      return sent.given;
    },
    onHangUp(run: () => unknown): void {
      main.onAsked("reload", (next: SentSettings) => {
        sent = next;
        return run();
      });
    },
  };
}

/** Of messages that all processes have, only those of the first one go to standard error. The log has all of them. */
function contextOf({ io, ...context }: Context, number: number): Context {
  const { stdin, stdout, stderr, env } = io;
  const complain = number === FIRST ? context.complain : () => {};
  // The main process opens the sockets of systemd for all.
  const isForMain = env["LISTEN_PID"] === String(process.ppid);
  const own = isForMain ? { ...env, LISTEN_PID: String(process.pid) } : env;
  return { ...context, complain, io: { stdin, stdout, stderr, env: own } };
}

function allProcesses(main: Messages, isFirst: boolean): AllProcesses {
  const search: SearchThrough = (given) =>
    main.ask("search", given, SEARCH) as ReturnType<SearchThrough>;
  return {
    searchUpstream: isFirst ? undefined : search,
    async readiness() {
      const reply = (await main.ask("readiness", null, MAIN_ANSWERS)) as Reply | undefined;
      return reply ?? STOPPING;
    },
    async metrics() {
      const text = await main.ask("metrics", null, MAIN_ANSWERS);
      if (typeof text !== "string") throw new Error("the main process does not answer");
      return text;
    },
    show({ readiness, metrics, searchUpstream }) {
      main.onAsked("readiness", readiness);
      main.onAsked("metrics", metrics);
      main.onAsked("search", searchUpstream);
    },
  };
}

/** What the main process asks one that serves, and the other way round. */
export type Question = "start" | "serving" | "readiness" | "metrics" | "search" | "reload" | "stop";

/** How long a search on another server may take, in milliseconds. A client gives its request up after half a minute. */
export const SEARCH = 35_000;

type Message =
  | { readonly ask: Question; readonly id: number; readonly given: unknown }
  | { readonly answer: unknown; readonly id: number };

/** Questions and answers between two processes. */
export interface Messages {
  /**
   * Asks the other process. Returns `undefined` if the other process ends, fails, or does not answer within this many
   * milliseconds.
   */
  ask(question: Question, given: unknown, milliseconds: number): Promise<unknown>;
  /** Answers a question of the other process from now on. */
  onAsked(question: Question, answer: (given: never) => unknown): void;
}

/** The other end of an IPC channel: a child process, or `process` in the child. */
type Channel = EventEmitter & {
  readonly connected: boolean;
  send?(message: unknown, onSent: () => void): boolean;
};

/** Exchanges messages with a process. */
export function exchangeMessages(other: Channel): Messages {
  const answers = new Map<Question, (given: never) => unknown>();
  const waiting = new Map<number, (answer: unknown) => void>();
  let lastId = 0;

  function send(message: Message): void {
    // The other process may end at any time, which is noticed elsewhere.
    if (other.connected) other.send?.(message, () => {});
  }

  async function answer(question: Question, given: unknown): Promise<unknown> {
    try {
      return await answers.get(question)?.(given as never);
    } catch {
      return undefined;
    }
  }

  other.once("disconnect", () => {
    for (const settle of waiting.values()) settle(undefined);
  });
  other.on("message", async (message: Message) => {
    if ("answer" in message) waiting.get(message.id)?.(message.answer);
    else send({ answer: await answer(message.ask, message.given), id: message.id });
  });
  return {
    ask(question, given, milliseconds) {
      if (!other.connected) return Promise.resolve(undefined);
      const id = ++lastId;
      return new Promise((resolve) => {
        const settle = (answer?: unknown) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        };
        const timer = setTimeout(settle, milliseconds);
        waiting.set(id, settle);
        send({ ask: question, id, given });
      });
    },
    onAsked: (question, answer) => void answers.set(question, answer),
  };
}
