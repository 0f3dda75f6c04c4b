/*
 * Durations and times are whole milliseconds in records, and seconds and nanoseconds in messages. Fractions of
 * a millisecond are truncated.
 *
 * See google/protobuf/duration.proto and timestamp.proto.
 */

import { WireError } from "../error.ts";

const MAX_DURATION_SECONDS = 315_576_000_000;
/** The range of a Timestamp, in seconds since 1970: from 0001-01-01T00:00Z to the end of the year 9999. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;
const MAX_NANOS = 999_999_999;
export const SECOND = 1000;
export const NANOS_PER_MILLISECOND = 1_000_000;

export type TimeKind = "duration" | "timestamp";

/** Throws when a duration or time is out of the range of its message. */
export function checkSeconds(kind: TimeKind, seconds: number, nanos: number, field: string): void {
  const [first, last] =
    kind === "duration" ? [0, MAX_DURATION_SECONDS] : [FIRST_SECOND, LAST_SECOND];
  if (!(seconds >= first && seconds <= last && nanos >= 0 && nanos <= MAX_NANOS)) {
    throw new WireError(`${kind}-invalid`, field);
  }
}

/** Throws when `milliseconds` cannot be written. */
export function checkTime(kind: TimeKind, milliseconds: number, field: string): void {
  const seconds = Math.floor(milliseconds / SECOND);
  checkSeconds(kind, seconds, Number.isInteger(milliseconds) ? 0 : -1, field);
}

/** Formats a duration as `"593.440s"` or `"300s"`: with three decimal places, or none if they would be zeros. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / SECOND);
  const rest = milliseconds - seconds * SECOND;
  return rest === 0 ? `${seconds}s` : `${seconds}.${String(rest).padStart(3, "0")}s`;
}

export function parseDuration(text: string, field: string): number {
  const found = /^(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text);
  if (found === null) throw new WireError("duration-invalid", field);
  const seconds = Number(found[1]);
  checkSeconds("duration", seconds, 0, field);
  return seconds * SECOND + Number((found[2] ?? "").padEnd(3, "0").slice(0, 3));
}

/** Formats a time as `"2026-11-22T10:00:00Z"`, with three decimal places of the seconds unless they would be zeros. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(".000Z", "Z");
}

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

export function parseTimestamp(text: string, field: string): number {
  const found = TIMESTAMP.exec(text);
  const isDate = found !== null && isCalendarDate(found[1]!);
  const whole = isDate ? Date.parse(`${found[1]}${found[3]}`) : Number.NaN;
  checkSeconds("timestamp", whole / SECOND, 0, field);
  return whole + Number((found?.[2] ?? "").padEnd(3, "0").slice(0, 3));
}

/** Whether a date and time exist. JavaScript engines read 29 February 2023 as 1 March, and 24:00 as the next day. */
function isCalendarDate(text: string): boolean {
  const milliseconds = Date.parse(`${text}Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(text);
}
