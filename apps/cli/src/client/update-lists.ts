import type { ClientError, ClientOptions, UpdatedList, UpdateEnd } from "@x/client";
import { counted } from "@x/explain/counted";
import { printable, printableJson } from "@x/explain/printable";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Context } from "../context.ts";
import { FAILED } from "../exit-status.ts";
import { durationText } from "../output/layout.ts";
import {
  clientErrorText,
  type OpenedClient,
  openClient,
  type ServerOptions,
  serverListWarnings,
} from "./open-client.ts";

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
    if (!hasName<ClientError>(error, "ClientError")) throw error;
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
  const opened = await openClient(options, context, { ...more, updates: { onUpdate } });
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

const MINUTE = 60_000;

/** The end of an update. The result and the error are `null` if no update was due. */
type Happened = UpdateEnd | { readonly result: null; readonly error: null };

function agoText(milliseconds: number): string {
  return milliseconds < MINUTE ? "just now" : `${durationText(milliseconds)} ago`;
}

/** Formats the time until an update, such as `in 5 minutes`. */
function untilText(time: number | null): string {
  const left = (time ?? 0) - Date.now();
  return left <= 0 ? "now" : `in ${durationText(Math.ceil(left / MINUTE) * MINUTE)}`;
}

const errorRecord = (error: ClientError | null) =>
  error === null ? null : { code: error.code, message: error.message };

/** Returns the message that the last update failed, with the time until the next update. */
export function failedBefore(nextUpdate: number | null): string {
  return `the last update failed, and it is too early to ask the server again: next update ${untilText(nextUpdate)}; "urlhash update --now" asks it anyway`;
}

/** Converts an update to plain data. */
function updateRecord(
  { client, server, protocol, database }: OpenedClient,
  { result, error }: Happened,
): object {
  const status = client.status();
  const updated = new Map(result?.lists.map((list) => [list.name, list]));
  return {
    server,
    protocol,
    database,
    updated: result !== null,
    lists: status.lists.map((list) => {
      const { changed, added, removed, bytes, error = list.error } = updated.get(list.name) ?? {};
      return {
        name: list.name,
        changed: changed ?? false,
        added: added ?? 0,
        removed: removed ?? 0,
        bytes: bytes ?? 0,
        entries: list.size,
        version: list.version,
        ageSeconds: list.age === null ? null : Math.max(0, Math.floor(list.age / 1000)),
        error: errorRecord(error),
      };
    }),
    bytes: result?.bytes ?? 0,
    nextUpdate: status.nextUpdate === null ? null : new Date(status.nextUpdate).toISOString(),
    error: errorRecord(error ?? result?.storageError ?? null),
  };
}

function changeText({ changed, added, removed, bytes }: UpdatedList): string {
  if (!changed) return "unchanged; ";
  return `${added} added, ${removed} removed, ${counted(bytes, "byte", "bytes")}; `;
}

/** Formats an update as text, with one line for each list and one about the next update. */
function updateText({ client }: OpenedClient, { result }: Happened): string {
  const { lists, nextUpdate } = client.status();
  const updated = new Map(result?.lists.map((list) => [list.name, list]));
  const lines = lists.map(({ name, size, age }) => {
    const list = updated.get(name);
    const change = list === undefined || list.error !== null ? "" : changeText(list);
    const state =
      age === null
        ? "not downloaded yet"
        : `${counted(size, "entry", "entries")}, checked ${agoText(age)}`;
    return `${printable(name)}: ${change}${state}\n`;
  });
  const downloaded =
    result === null
      ? "no update was due; "
      : `${counted(result.bytes, "byte", "bytes")} downloaded; `;
  return `${lines.join("")}${downloaded}next update ${untilText(nextUpdate)}\n`;
}

/** The errors of an update, including those of single lists. */
export function updateProblems({ result, error }: Happened): readonly ClientError[] {
  const all = [error, result?.storageError, ...(result?.lists.map((list) => list.error) ?? [])];
  return all.filter((each) => each !== null && each !== undefined);
}
