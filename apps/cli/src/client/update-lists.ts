import type { ClientOptions, UpdateEnd } from "@x/client";
import { printableJson } from "@x/explain/printable";
import type { Context } from "../context.ts";
import { FAILED } from "../exit-status.ts";
import { isClientError } from "./load-client.ts";
import { clientErrorText, type OpenedClient, openClient } from "./open-client.ts";
import { serverListWarnings } from "./server-list-warnings.ts";
import type { ServerOptions } from "./server-options.ts";
import {
  failedBefore,
  type Happened,
  untilText,
  updateProblems,
  updateRecord,
  updateText,
} from "./update-report.ts";

export interface UpdateOptions extends ServerOptions {
  readonly now?: boolean;
  readonly watch?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly ndjson?: boolean;
}

/** Updates the lists and returns the result or the {@link ClientError}. Other errors are thrown. */
async function updateNow({ client }: OpenedClient): Promise<UpdateEnd> {
  try {
    return { result: await client.update(), error: null };
  } catch (error) {
    if (!isClientError(error)) throw error;
    return { result: null, error };
  }
}

/** Reports an update to the user. Returns `true` if there was no problem. */
async function report(
  opened: OpenedClient,
  what: Happened,
  options: UpdateOptions,
  { stdout, stderr }: Context,
): Promise<boolean> {
  if (options.json || options.ndjson)
    await stdout.write(`${printableJson(updateRecord(opened, what))}\n`);
  else if (!options.quiet && what.error === null) await stdout.write(updateText(opened, what));
  const problems = updateProblems(what);
  for (const error of problems) {
    const next =
      error === what.error ? `; next update ${untilText(opened.client.status().nextUpdate)}` : "";
    await stderr.write(`urlhash: ${clientErrorText(error, options)}${next}\n`);
  }
  const told = problems.map((error) => clientErrorText(error, options));
  for (const text of serverListWarnings(opened.client.status(), options)) {
    if (!told.includes(text)) await stderr.write(`urlhash: warning: ${text}\n`);
  }
  return problems.length === 0;
}

/** Reports the stored lists when no update is due. Returns `true` if there is no problem. */
async function reportStored(
  opened: OpenedClient,
  options: UpdateOptions,
  context: Context,
): Promise<boolean> {
  const isFine = await report(opened, { result: null, error: null }, options, context);
  const { failures, nextUpdate } = opened.client.status();
  if (failures === 0) return isFine;
  await context.stderr.write(`urlhash: ${failedBefore(nextUpdate)}\n`);
  return false;
}

/**
 * Updates the lists once, if an update is due.
 *
 * @throws {Failure} when an option is wrong, or the folder or a file of keys cannot be read.
 */
export async function updateOnce(options: UpdateOptions, context: Context): Promise<void> {
  const opened = await openClient(options, context);
  const isFine =
    options.now || opened.client.status().isDue
      ? await report(opened, await updateNow(opened), options, context)
      : await reportStored(opened, options, context);
  if (!isFine) context.addStatus(FAILED);
}

/**
 * Updates the lists whenever an update is due, until `stopped` settles.
 *
 * @param more additional options for the client.
 * @throws {Failure} when an option is wrong, or the folder or a file of keys cannot be read.
 */
export async function updateUntil(
  stopped: Promise<unknown>,
  options: UpdateOptions,
  context: Context,
  more: Partial<ClientOptions> = {},
): Promise<void> {
  let reporting: Promise<unknown> = Promise.resolve();
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const onUpdate = (what: UpdateEnd): void => {
    reporting = reporting.then(() => report(opened, what, options, context)).catch(fail);
  };
  const opened = await openClient(options, context, { ...more, onUpdate });
  const { client } = opened;
  // The schedule of the client does not keep the process running.
  const running = setInterval(() => {}, 2 ** 30);
  try {
    if (options.now) await Promise.race([client.update().catch(() => {}), stopped, failed]);
    else if (!client.status().isDue) await reportStored(opened, options, context);
    client.start();
    await Promise.race([stopped, failed]);
  } finally {
    clearInterval(running);
    await client.stop();
    await reporting;
  }
}
