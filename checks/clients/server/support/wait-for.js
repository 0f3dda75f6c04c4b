import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits until `condition` returns a truthy value, and returns this value. After `seconds`, throws an error that
 * contains `what`.
 */
export async function waitFor(what, condition, seconds = 180) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
    await pause(50);
  }
}
