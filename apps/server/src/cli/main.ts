import { setImmediate } from "node:timers/promises";
import { addDefinitionCommands, createProgram, isCommanderError } from "@x/command-line";
import { namesProxy, startProgress } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { Command } from "commander";
import { type Context, type Io, ownVersion } from "./context.ts";
import { describeError } from "./errors.ts";

type Register = (program: Command, context: Context) => void;

/**
 * All commands, in the groups and the order in which the help lists them. Only the command that is run is loaded,
 * because loading all of them takes longer than most of them run.
 */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, () => Promise<Register>>>>> = {
  "Publish:": {
    init: async () => (await import("./commands/init.ts")).registerInit,
    publish: async () => (await import("./commands/publish.ts")).registerPublish,
    check: async () => (await import("./commands/check.ts")).registerCheck,
  },
  "Serve:": {
    serve: async () => (await import("./commands/serve.ts")).registerServe,
    dns: async () => (await import("./commands/serve.ts")).registerDns,
    "dns-test": async () => (await import("./commands/serve.ts")).registerDnsTest,
    firefox: async () => (await import("./commands/for-clients.ts")).registerFirefox,
    "blocked-page": async () => (await import("./commands/for-clients.ts")).registerBlockedPage,
    key: async () => (await import("./commands/for-clients.ts")).registerKey,
    "ohttp-key": async () => (await import("./commands/for-clients.ts")).registerOhttpKey,
  },
  "Versions and entries:": {
    log: async () => (await import("./commands/history.ts")).registerLog,
    show: async () => (await import("./commands/history.ts")).registerShow,
    why: async () => (await import("./commands/why.ts")).registerWhy,
    history: async () => (await import("./commands/history.ts")).registerHistory,
    rollback: async () => (await import("./commands/correct.ts")).registerRollback,
    withdraw: async () => (await import("./commands/correct.ts")).registerWithdraw,
    retire: async () => (await import("./commands/correct.ts")).registerRetire,
    except: async () => (await import("./commands/correct.ts")).registerExcept,
  },
  "Stores:": {
    copy: async () => (await import("./commands/copy.ts")).registerCopy,
    gc: async () => (await import("./commands/gc.ts")).registerGc,
    "rotate-key": async () => (await import("./commands/rotate-key.ts")).registerRotateKey,
    "upgrade-store": async () => (await import("./commands/gc.ts")).registerUpgradeStore,
    "migrate-settings": async () =>
      (await import("./commands/migrate-settings.ts")).registerMigrateSettings,
  },
};

/** Whether to load a command, for a first argument. All are loaded for the help, and for a name that is no command. */
function isNeeded(command: string, first: string | undefined): boolean {
  if (first === "--version" || first === "-V") return false;
  const isCommand = Object.values(COMMANDS).some((group) => Object.hasOwn(group, first ?? ""));
  return !isCommand || command === first;
}

const MAN_TEXTS = {
  purpose: "publish lists of URLs, and serve them to Safe Browsing clients",
  exitStatus: [
    ["0", "Success."],
    [
      "1",
      "A source was refused, or would remove too much, so that some list was not published; of dns-test: a name is blocked.",
    ],
    ["2", "The command failed."],
  ],
  environment: [
    [
      "HTTP_PROXY, HTTPS_PROXY, NO_PROXY",
      "The proxies for connections to servers, and the hosts that are asked directly.",
    ],
  ],
} as const;

const FAILED = 2;

async function urlhashServer(first: string | undefined, context: Context): Promise<Command> {
  const { io } = context;
  const program = createProgram({
    name: "urlhash-server",
    description: "Publish lists of URLs, and serve them to clients of Safe Browsing and Web Risk.",
    version: ownVersion(),
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
  });
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const [name, load] of Object.entries(commands)) {
      if (isNeeded(name, first)) (await load())(program, context);
    }
  }
  program.commandsGroup("Other commands:");
  addDefinitionCommands(program, (text) => void io.stdout.write(text), MAN_TEXTS);
  program.addHelpText(
    "after",
    "\nExit status: 0 on success; 1 if a source was refused, or would remove too\nmuch, or could not be fetched, so that some list does not have its newest\nentries; 2 if the command failed.",
  );
  return program;
}

function drained(stream: Io["stdout"]): Promise<void> {
  if (!stream.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}

/**
 * Runs the command, and returns its exit status.
 *
 * A command continues when its output cannot be written, for example because the disk is full. It reports the problem,
 * and reports it again only if it has written a line in between. In the end it fails, unless its output is only a log.
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let status = 0;
  let isLosing = false;
  const progress = startProgress(io);
  const context: Context = {
    io,
    progress,
    print(line) {
      progress.erase();
      io.stdout.write(`${line}\n`, (error) => {
        if (!error) isLosing = false;
      });
    },
    drained: () => drained(io.stdout),
    complain(line) {
      progress.erase();
      io.stderr.write(`urlhash-server: ${line}\n`);
    },
    exitWith: (next) => {
      status = next;
    },
  };
  const onUnwritten = ({ code, message }: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe early.
    if (code === "EPIPE") return;
    status ||= FAILED;
    if (!isLosing) context.complain(printable(`The output cannot be written: ${message}`));
    isLosing = true;
  };
  // Errors in writing to standard error cannot be reported anywhere.
  const onUnheard = () => {};
  io.stdout.on("error", onUnwritten);
  io.stderr.on("error", onUnheard);
  try {
    if (namesProxy(io.env)) (await import("@x/command-line/proxy")).useProxies();
    const program = await urlhashServer(args[0], context);
    await program.parseAsync(args, { from: "user" });
    // A failed write emits its error in a later turn of the event loop.
    await setImmediate();
    return status;
  } catch (error) {
    if (isCommanderError(error)) {
      await setImmediate();
      return error.exitCode === 0 ? status : FAILED;
    }
    const problem = describeError(error);
    if (problem === null) throw error;
    context.complain(problem);
    return FAILED;
  }
}
