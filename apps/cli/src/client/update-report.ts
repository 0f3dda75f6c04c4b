import type { ClientError, UpdatedList, UpdateEnd } from "@x/client";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import { durationText } from "../output/duration-text.ts";
import type { OpenedClient } from "./open-client.ts";

const MINUTE = 60_000;

/** The end of an update. The result and the error are `null` if no update was due. */
export type Happened = UpdateEnd | { readonly result: null; readonly error: null };

function agoText(milliseconds: number): string {
  return milliseconds < MINUTE ? "just now" : `${durationText(milliseconds)} ago`;
}

/** Formats the time until an update, such as `in 5 minutes`. */
export function untilText(time: number | null): string {
  const left = (time ?? 0) - Date.now();
  return left <= 0 ? "now" : `in ${durationText(Math.ceil(left / MINUTE) * MINUTE)}`;
}

const errorRecord = (error: ClientError | null) =>
  error === null ? null : { code: error.code, message: error.message };

/** Returns the message that the last update failed, with the time until the next update. */
export function failedBefore(nextUpdate: number | null): string {
  return `the last update failed, and the server must not be asked again at once: next update ${untilText(nextUpdate)}; "urlhash update --now" asks it anyway`;
}

/** Converts an update to plain data. */
export function updateRecord(
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
export function updateText({ client }: OpenedClient, { result }: Happened): string {
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
