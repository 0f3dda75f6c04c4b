import type { Answering } from "../answering.ts";

/**
 * The time this many milliseconds from now, or `until` if that is sooner. Caches may keep the answer for at most half
 * as long. Otherwise, the time in a cached answer could be in the past, and clients would ask again without a pause.
 */
export function timeIn(
  milliseconds: number,
  { now, cache }: Pick<Answering, "now" | "cache">,
  until: number = Infinity,
): { readonly time: number; readonly expires: number } {
  const start = now();
  if (until < start + milliseconds) return timeIn(Math.max(0, until - start), { now, cache });
  return { time: start + milliseconds, expires: start + Math.min(cache, milliseconds / 2) };
}

/**
 * How long clients may keep an answer that is valid until a given time, in milliseconds: at most as long as the
 * server's own setting, and at most half of the time left. Caches may keep the answer for the same time, so that a
 * client that gets a cached answer does not keep it for too long.
 */
export function durationUntil(
  until: number,
  { now, cache }: Answering,
): { readonly duration: number; readonly expires: number | null } {
  if (until === Infinity) return { duration: cache, expires: null };
  const start = now();
  const duration = Math.floor(Math.min(cache, Math.max(0, until - start) / 2));
  return { duration, expires: start + duration };
}
