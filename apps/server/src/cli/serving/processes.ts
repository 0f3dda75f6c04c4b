import cluster, { type Worker } from "node:cluster";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { type Address, removeLeftOver } from "../../serve/endpoints.ts";
import { type Reply, textReply } from "../../serve/http/reply.ts";
import type { ServerLog } from "../../serve/log.ts";
import { joinMetrics, type MetricNumbers, metricsText } from "../../serve/pages/prometheus.ts";
import type { Context } from "../context.ts";
import { describeError } from "../errors.ts";
import type { Settings } from "../settings/schema.ts";
import type { GivenSettings } from "../settings/settings-file.ts";
import { usableCores } from "./cores.ts";
import { addressesOf } from "./listening.ts";
import { openLog, untilStopped } from "./long-running.ts";
import {
  exchangeMessages,
  FIRST,
  type Messages,
  SEARCH,
  type SentSettings,
  type Start,
} from "./one-of-many.ts";
import { type LastingSettings, PROCESS_NUMBER } from "./with-settings.ts";

/*
 * The main process of several opens the ports, and all others accept connections from them (node:cluster). It reads the
 * settings and writes the log for all, passes signals on, and replaces processes that end.
 */

const FAILED = 2;
const SECOND = 1000;
/** How long a process may take to tell its metrics, and whether it is ready, in milliseconds. */
const TELL = SECOND;
/** How long a process may take to use other settings, in milliseconds. */
const RELOAD = 60_000;
/** Each process that serves is asked once a second. One that has left this many questions unanswered is killed. */
const HANGS = 15;
/** A process that has left this many questions unanswered gets no searches. */
const LATE = 3;
/** How long processes may take to stop, in milliseconds. Their answers in progress have ten seconds. */
const STOP = 15_000;
/** The shortest and the longest wait before a process is replaced, in milliseconds. Each early end doubles the wait. */
const [FIRST_WAIT, LONGEST_WAIT] = [250, 60_000];
/** A process that ends before this many milliseconds has ended early. */
const EARLY = 60_000;

/** A process that serves. */
interface Member {
  readonly number: number;
  readonly worker: Worker;
  readonly messages: Messages;
  readonly startedAt: number;
  /** The settings that it got when it started. */
  readonly first: GivenSettings;
  isServing: boolean;
  /** How often it was asked since its last answer. */
  unanswered: number;
  /** The metrics that it told last. */
  numbers: readonly MetricNumbers[];
}

/** All processes that serve, and what is known of those that have ended. */
interface Processes {
  readonly members: ReadonlyMap<number, Member>;
  /** The settings in use. */
  current: GivenSettings;
  /** The metrics of the processes that have ended. */
  ended: readonly MetricNumbers[];
  /** How many processes were replaced. */
  replaced: number;
}

/** How many processes serve. */
export function processCount({ processes }: Settings): number {
  return processes === "auto" ? usableCores() : processes;
}

/** Serves with several processes until SIGTERM or SIGINT. All use other settings after SIGHUP, or none does. */
export async function runProcesses(
  count: number,
  { given, readAgain, onHangUp }: LastingSettings,
  isFirstStart: boolean,
  context: Context,
): Promise<void> {
  const opened = openLog(given.settings, context);
  const { log, lines, output } = opened;
  const { listen, admin = listen } = addressesOf(given.settings, context.io.env);
  const members = new Map<number, Member>();
  const processes: Processes = { members, current: given, ended: [], replaced: 0 };
  const waits = new Map<number, number>();
  const stopping = new AbortController();
  let onEnd = (_status: number | null, _signal: string | null) => {};
  let onServing = () => {};
  let giveUp = (_error: Failure) => {};
  // If the main process accepted the connections, one of them would wait forever for a process that hangs or is killed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ serialization: "advanced", stdio: ["ignore", "pipe", "inherit", "ipc"] });

  function start(number: number, isFirst = false): void {
    const worker = cluster.fork({ [PROCESS_NUMBER]: String(number) });
    const messages = exchangeMessages(worker.process);
    const member: Member = {
      ...{ number, worker, messages, startedAt: Date.now(), first: processes.current },
      ...{ isServing: false, unanswered: 0, numbers: [] },
    };
    members.set(number, member);
    passLines(worker.process.stdout, lines.write);
    messages.onAsked("start", (): Start => ({ given: member.first, isFirstStart: isFirst }));
    messages.onAsked("serving", () => {
      member.isServing = true;
      // The settings may have changed while the process started.
      if (processes.current !== member.first) void useCurrent(processes, member, log);
      onServing();
      void replaceIfItHangs(member, log);
    });
    messages.onAsked("readiness", () => allReady(processes));
    messages.onAsked("metrics", () => allMetrics(processes));
    messages.onAsked("search", (search: unknown) => searchThroughFirst(processes, search));
    // Not "exit": the last lines for the log may arrive after it.
    worker.process.once("close", (status, signal) => onExit(member, status, signal));
    worker.on("error", () => {
      worker.process.kill("SIGKILL");
      // A process that could not be started has no exit.
      onExit(member, null, "not started");
    });
  }

  function onExit(member: Member, status: number | null, signal: string | null): void {
    const { number, startedAt } = member;
    if (members.get(number) !== member) return;
    members.delete(number);
    const all = [processes.ended, member.numbers];
    processes.ended = joinMetrics(all.map((metrics) => ({ process: null, metrics })));
    onEnd(status, signal);
    if (stopping.signal.aborted) return;
    log.error(`A process has ended (${signal ?? `status ${status}`}).`, { process: number });
    if (servingIn(processes).length === 0 && ![listen, admin].every(canListenAgain)) {
      giveUp(new Failure("All processes have ended, and only a new start opens their port again"));
      return;
    }
    void startAgain(number, Date.now() - startedAt < EARLY);
  }

  async function startAgain(number: number, isEarly: boolean): Promise<void> {
    const wait = isEarly ? (waits.get(number) ?? FIRST_WAIT) : FIRST_WAIT;
    waits.set(number, Math.min(2 * wait, LONGEST_WAIT));
    await pause(wait, undefined, stopping).catch(() => {});
    if (stopping.signal.aborted) return;
    try {
      start(number);
      processes.replaced++;
    } catch (error) {
      const reason = describeError(error) ?? (error as Error).message;
      log.error(printable(`A process cannot be started: ${reason}`), { process: number });
      void startAgain(number, true);
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    const allEnded = new Promise<void>((resolve) => {
      onEnd = () => members.size === 0 && resolve();
      onEnd(null, null);
    });
    for (const { worker, messages, isServing } of members.values()) {
      if (isServing) void messages.ask("stop", "SIGTERM", STOP);
      else worker.process.kill("SIGKILL");
    }
    const timer = setTimeout(() => {
      for (const { worker } of members.values()) worker.process.kill("SIGKILL");
    }, STOP);
    await allEnded;
    clearTimeout(timer);
  }

  for (const address of [listen, admin]) await removeLeftOver(address);
  // The others start only when the first one serves, so that a problem with the settings is reported once.
  const stopped = untilStopped(opened, stop);
  const begun = new Promise<"serving" | "failed">((resolve) => {
    onServing = () => resolve("serving");
    onEnd = (status, signal) => {
      resolve("failed");
      stopping.abort();
      // Otherwise, the process has said why.
      if (status === null) context.complain(`the first process was ended by ${signal}`);
      context.exitWith(status || FAILED);
    };
  });
  start(1, isFirstStart);
  const outcome = await Promise.race([begun, stopped]);
  if (outcome === "failed") await output.close();
  if (outcome !== "serving") return;
  onEnd = () => {};
  for (let number = 2; number <= count; number++) start(number);
  let queue = Promise.resolve();
  onHangUp(() => {
    queue = queue.then(() => reload(processes, readAgain, log));
  });
  const failed = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  try {
    await Promise.race([stopped, failed]);
  } catch (error) {
    await stop();
    await output.close();
    throw error;
  }
}

/** The processes that take connections. */
function servingIn({ members }: Processes): Member[] {
  return [...members.values()].filter(({ isServing }) => isServing);
}

/** Kills a process that no longer answers. Clients can then connect to another one. */
async function replaceIfItHangs(member: Member, log: ServerLog): Promise<void> {
  const { number, worker, messages } = member;
  for (; member.unanswered < HANGS; member.unanswered++) {
    // A busy process answers late, and the machine may have slept. So questions are counted, and not seconds.
    void messages.ask("readiness", null, HANGS * SECOND).then((answer) => {
      if (answer !== undefined) member.unanswered = 0;
    });
    await pause(SECOND, undefined, { ref: false });
    if (worker.isDead()) return;
  }
  log.error("A process does not answer, and is killed.", { process: number });
  worker.process.kill("SIGKILL");
}

/** Process 1 searches other servers for all. Another process that gets no answer searches by itself. */
async function searchThroughFirst({ members }: Processes, search: unknown): Promise<unknown> {
  const first = members.get(FIRST);
  if (!first?.isServing || first.unanswered >= LATE) return undefined;
  return first.messages.ask("search", search, SEARCH);
}

/** The server is ready if all processes that take connections are. */
async function allReady(processes: Processes): Promise<Reply> {
  const replies = await Promise.all(
    servingIn(processes).map(async ({ number, worker, messages }) => {
      const answer = await messages.ask("readiness", null, TELL);
      if (answer !== undefined || worker.isDead()) return answer as Reply | undefined;
      return textReply("readyz", 503, `Process ${number} does not answer.\n`);
    }),
  );
  const known = replies.filter((reply) => reply !== undefined);
  const none = textReply("readyz", 503, "No process answers.\n");
  return known.find(({ status }) => status !== 200) ?? known[0] ?? none;
}

async function allMetrics(processes: Processes): Promise<string> {
  const asked = await Promise.all(
    servingIn(processes).map(async (member) => {
      const answer = await member.messages.ask("metrics", null, TELL);
      if (answer !== undefined) member.numbers = answer as readonly MetricNumbers[];
      return { member, isLate: answer === undefined };
    }),
  );
  const { members, ended, replaced } = processes;
  // Counters must not fall because a process is late, or has just ended.
  const parts = asked
    .filter(({ member }) => members.get(member.number) === member)
    .map(({ member: { number, numbers }, isLate }) => {
      return { process: isLate ? null : number, metrics: numbers };
    });
  const joined = joinMetrics([...parts, { process: null, metrics: ended }]);
  return metricsText([...joined, ...ownMetrics(servingIn(processes).length, replaced)]);
}

/** Makes all processes use other settings, or none of them. */
async function reload(
  processes: Processes,
  readAgain: LastingSettings["readAgain"],
  log: ServerLog,
): Promise<void> {
  const next = await readAgain(processes.current)
    .then((read): SentSettings => ({ given: read }))
    .catch(
      (error): SentSettings => ({
        problem: printable(describeError(error) ?? (error as Error).message),
      }),
    );
  const send = (to: readonly Member[], settings: SentSettings) =>
    Promise.all(to.map(({ messages }) => messages.ask("reload", settings, RELOAD)));
  const asked = servingIn(processes);
  const answers = await send(asked, next);
  if ("problem" in next) return;
  const others = asked.filter(({ worker }, i) => answers[i] !== false && !worker.isDead());
  const isUsed = asked.every(({ worker }, i) => answers[i] === true || worker.isDead());
  if (isUsed) {
    processes.current = next.given;
    // Those that began to serve in the meantime have the old settings.
    await Promise.all(
      servingIn(processes).map((each) => !asked.includes(each) && useCurrent(processes, each, log)),
    );
    return;
  }
  if (others.length === 0) return;
  log.error("Some processes could not use the new settings, so all go back to the old ones.");
  await send(others, { given: processes.current });
}

/** Sends the settings in use to a process that has started with others, and replaces it if it cannot use them. */
async function useCurrent(
  { current }: Processes,
  { number, worker, messages }: Member,
  log: ServerLog,
): Promise<void> {
  const isUsed = await messages.ask("reload", { given: current }, RELOAD);
  if (isUsed === true || worker.isDead()) return;
  log.error("A process could not use the settings of the others, and is killed.", {
    process: number,
  });
  worker.process.kill("SIGKILL");
}

/**
 * Whether new processes can listen at an address after all others have ended. Node then closes the ports, and with them
 * sockets of a service manager; a free port would become another one.
 */
function canListenAgain(address: Address): boolean {
  return address.kind === "unix" || (address.kind === "tcp" && address.port !== 0);
}

/** Passes whole lines on. A line that was cut off when its writer was killed is left out. */
function passLines(from: Readable | null | undefined, write: (text: string) => void): void {
  let rest = "";
  from?.setEncoding("utf8").on("data", (text: string) => {
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
}

/** The metrics of the main process. */
function ownMetrics(serving: number, replaced: number): readonly MetricNumbers[] {
  const one = (name: string, help: string, type: string, value: number) =>
    ({ name, help, type, values: [{ labels: {}, value }], aggregator: "sum" }) as never;
  return [
    one("urlhash_processes", "Processes that serve", "gauge", serving),
    one("urlhash_processes_replaced_total", "Processes that were replaced", "counter", replaced),
  ];
}
