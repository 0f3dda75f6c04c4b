import { setImmediate } from "node:timers/promises";
import { createProgram, isCommanderError } from "@x/command-line";
import { namesProxy } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { Command } from "commander";
import { registerBlockedPage } from "./commands/blocked-page.ts";
import { registerCheck } from "./commands/check.ts";
import { registerCopy } from "./commands/copy.ts";
import { registerDefinitions } from "./commands/definitions.ts";
import { registerExcept } from "./commands/except.ts";
import { registerFirefox } from "./commands/firefox.ts";
import { registerGc } from "./commands/gc.ts";
import { registerInit } from "./commands/init.ts";
import { registerKey } from "./commands/key.ts";
import { registerLog } from "./commands/log.ts";
import { registerMigrateSettings } from "./commands/migrate-settings.ts";
import { registerOhttpKey } from "./commands/ohttp-key.ts";
import { registerPublish } from "./commands/publish.ts";
import { registerRetire } from "./commands/retire.ts";
import { registerRollback } from "./commands/rollback.ts";
import { registerRotateKey } from "./commands/rotate-key.ts";
import { registerServe } from "./commands/serve.ts";
import { registerShow } from "./commands/show.ts";
import { registerWithdraw } from "./commands/withdraw.ts";
import type { Context, Io } from "./context.ts";
import { describeError } from "./describe-error.ts";
import { startProgress } from "./progress.ts";
import { ownVersion } from "./version.ts";

/** All commands, in the order in which the help lists them. */
const COMMANDS: readonly ((program: Command, context: Context) => void)[] = [
  registerInit,
  registerPublish,
  registerCheck,
  registerServe,
  registerFirefox,
  registerBlockedPage,
  registerLog,
  registerShow,
  registerRollback,
  registerWithdraw,
  registerRetire,
  registerExcept,
  registerGc,
  registerCopy,
  registerRotateKey,
  registerKey,
  registerOhttpKey,
  registerMigrateSettings,
  registerDefinitions,
];

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
  for (const register of COMMANDS) register(program, context);
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
