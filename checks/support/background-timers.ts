/** Calls `callback` after `milliseconds`, unless the returned function is called first. */
type Wait = (milliseconds: number, callback: () => void) => () => void;

type Timers = Pick<typeof globalThis, "setTimeout" | "clearTimeout">;

let wait: Wait;
/** The timers that were in use before; `null` if they are in use now. */
let before: Timers | null = null;
const cancels = new WeakMap<object, () => void>();

/**
 * Gives the waits of `@x/client`, such as that for the next update of lists, to the clock of a test. All other timers
 * stay as they are, such as those of `fetch` and of the `undici` package, which do not keep a process running either.
 */
export function takeBackgroundTimers(next: Wait): void {
  wait = next;
  if (before !== null) return;
  before = { setTimeout, clearTimeout };
  globalThis.setTimeout = start;
  globalThis.clearTimeout = clear;
}

/** Ends what {@link takeBackgroundTimers} began. */
export function giveBackgroundTimersBack(): void {
  // Other code may have replaced or restored the timers in the meantime.
  if (globalThis.setTimeout === start) Object.assign(globalThis, before);
  before = null;
}

const start = ((callback: () => void, milliseconds: number, ...args: unknown[]) => {
  const { setTimeout, clearTimeout } = before!;
  const timer = setTimeout(callback, milliseconds, ...args) as unknown as NodeJS.Timeout;
  const { unref } = timer;
  timer.unref = () => {
    // All waits of the client begin in its function `callLater`.
    const [, , caller] = new Error().stack!.split("\n");
    if (!caller!.includes("callLater")) return unref.call(timer);
    clearTimeout(timer);
    cancels.set(timer, wait(milliseconds, callback));
    return timer;
  };
  return timer;
}) as typeof setTimeout;

const clear = ((timer: object | undefined) => {
  if (timer !== undefined) cancels.get(timer)?.();
  (before ?? globalThis).clearTimeout(timer as NodeJS.Timeout);
}) as typeof clearTimeout;
