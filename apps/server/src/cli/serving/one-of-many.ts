import cluster from "node:cluster";
import process from "node:process";
import { Failure } from "@x/command-line";
import type { Reply } from "../../serve/http/reply.ts";
import type { AllProcesses } from "../../serve/operator-routes.ts";
import { STOPPING } from "../../serve/pages/status-page.ts";
import type { SearchThrough } from "../../serve/upstream/shared-searches.ts";
import type { Context } from "../context.ts";
import type { GivenSettings } from "../settings/settings-file.ts";
import { exchangeMessages, type Messages, SEARCH } from "./messages.ts";
import { type OneOfMany, runServer } from "./run-server.ts";
import { PROCESS_NUMBER } from "./with-settings.ts";

/** Settings from the main process, or why it cannot read them. */
export type SentSettings = { readonly given: GivenSettings } | { readonly problem: string };

/** What a process gets when it starts. */
export interface Start {
  readonly given: GivenSettings;
  readonly isFirstStart: boolean;
}

/** How long the main process may take to answer, in milliseconds. It waits for other processes for a part of this time. */
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
