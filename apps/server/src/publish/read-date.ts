/*
 * The dates of entries in sources. Only forms that everybody reads in the same way are dates: 03/04/2026 is none.
 */

/** A day, and maybe a time and an offset, as in ISO 8601 and RFC 3339, with a blank instead of the T, or with "UTC". */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/i;
/** Seconds or milliseconds since 1970, from 2001 on. */
const UNIX = /^(\d{10})(\d{3})?(?:\.\d{1,9})?$/;
/** Clocks differ, and a day without an offset may still be tomorrow elsewhere. */
const DAY = 24 * 60 * 60;

/**
 * Reads a date, in seconds since 1970. A time without an offset is in UTC. Returns `null` for text in other forms, for
 * days that do not exist, and for dates more than a day in the future.
 *
 * @param now in milliseconds since 1970.
 */
export function readDate(text: string, now: number): number | null {
  const seconds = UNIX.test(text) ? Number(UNIX.exec(text)![1]) : isoSeconds(text);
  return seconds === null || seconds < 1 || seconds > now / 1000 + DAY ? null : seconds;
}

function isoSeconds(text: string): number | null {
  const found = ISO.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = found
    .slice(1, 7)
    .map((each) => Number(each ?? 0));
  const time = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  const isRight =
    new Date(time).toISOString().slice(0, 10) === text.slice(0, 10) &&
    hour! < 24 &&
    minute! < 60 &&
    second! <= 60;
  return isRight ? time / 1000 - offsetSeconds(found[7] ?? "Z") : null;
}

function offsetSeconds(offset: string): number {
  const found = /^([+-])(\d\d):?(\d\d)$/.exec(offset);
  if (found === null) return 0;
  const [, sign, hours, minutes] = found;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}
