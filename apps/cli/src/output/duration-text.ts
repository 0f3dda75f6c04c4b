import { counted } from "@x/explain/counted";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Formats a duration in whole minutes, hours or days, rounded down. */
export function durationText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / MINUTE));
  if (minutes < 120) return counted(minutes, "minute", "minutes");
  const hours = Math.floor(milliseconds / HOUR);
  return hours < 48 ? `${hours} hours` : counted(Math.floor(hours / 24), "day", "days");
}
