import { setImmediate } from "node:timers/promises";
import { addDefinitionCommands, createProgram, isCommanderError } from "@x/command-line";
import { namesProxy } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { Command } from "commander";
import { registerCheck } from "./commands/check.ts";
import { registerCopy } from "./commands/copy.ts";
import { registerRetire, registerRollback, registerWithdraw } from "./commands/correct.ts";
import { registerDns, registerDnsTest } from "./commands/dns.ts";
import { registerExcept } from "./commands/except.ts";
import {
  registerBlockedPage,
  registerFirefox,
  registerKey,
  registerOhttpKey,
} from "./commands/for-clients.ts";
import { registerGc } from "./commands/gc.ts";
import { registerHistory, registerLog, registerShow } from "./commands/history.ts";
import { registerInit } from "./commands/init.ts";
import { registerMigrateSettings } from "./commands/migrate-settings.ts";
import { registerPublish } from "./commands/publish.ts";
import { registerRotateKey } from "./commands/rotate-key.ts";
import { registerServe } from "./commands/serve.ts";
import { registerUpgradeStore } from "./commands/upgrade-store.ts";
import { registerWhy } from "./commands/why.ts";
import { type Context, type Io, ownVersion } from "./context.ts";
import { describeError } from "./errors.ts";
import { startProgress } from "./progress.ts";

type Register = (program: Command, context: Context) => void;

/** All commands, in the groups and the order in which the help lists them. */
const COMMANDS: Readonly<Record<string, readonly Register[]>> = {
  "Publish:": [registerInit, registerPublish, registerCheck],
  "Serve:": [
    registerServe,
    registerDns,
    registerDnsTest,
    registerFirefox,
    registerBlockedPage,
    registerKey,
    registerOhttpKey,
  ],
  "Versions and entries:": [
    registerLog,
    registerShow,
    registerWhy,
    registerHistory,
    registerRollback,
    registerWithdraw,
    registerRetire,
    registerExcept,
  ],
  "Stores:": [
    registerCopy,
    registerGc,
    registerRotateKey,
    registerUpgradeStore,
    registerMigrateSettings,
  ],
  "Other commands:": [],
};

const MAN_TEXTS = {
  purpose: "publish lists of URLs, and serve them to Safe Browsing clients",
  exitStatus: [
    ["0", "Success."],
    ["1", "A source was refused, or would remove too much, so that some list was not published."],
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

function urlhashServer(context: Context): Command {
  const { io } = context;
  const program = createProgram({
    name: "urlhash-server",
    description:
      "Publish lists of URLs, and serve them to Firefox, Chromium, Squid and any client of Safe Browsing or Web Risk.",
    version: ownVersion(),
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
  });
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const register of commands) register(program, context);
  }
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
    await urlhashServer(context).parseAsync(args, { from: "user" });
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
