import { setTimeout as after, setImmediate as nextTurn } from "node:timers/promises";
import { type FairQueueOptions, fairQueue } from "./fair-queue.ts";

/**
 * Waits for a client's turn. The work from then until the next `await` is one part. Between two turns, all other
 * requests that have arrived make progress.
 *
 * @throws the error that `refusal` makes, when too many turns are waiting.
 */
export type Turns = (client: string) => Promise<void>;

export interface TurnsOptions extends Omit<FairQueueOptions, "atOnce"> {
  /** The time in milliseconds. */
  readonly now?: () => number;
  /** Waits for this many milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** A part that takes at least this many milliseconds is followed by a pause. */
const LONG = 4;

/**
 * Shares the event loop among clients, which take turns one at a time.
 *
 * Some requests, such as those that read a file or arrive over a new connection, need the event loop several times. If
 * a long part ran before each time, a request would wait for several parts. So after a long part, other requests have
 * the event loop for a quarter of the time that the part took.
 */
export function turns({
  now = () => performance.now(),
  pause = (milliseconds) => after(milliseconds),
  ...options
}: TurnsOptions): Turns {
  const queue = fairQueue({ ...options, atOnce: 1 });
  /** Settles when the last part and the pause after it are over. */
  let rest = Promise.resolve();

  async function restAfter(start: number): Promise<void> {
    await nextTurn();
    const taken = now() - start;
    if (taken >= LONG) await pause(taken / 4);
  }

  return (client) =>
    queue.run(client, async () => {
      await rest;
      await nextTurn();
      rest = restAfter(now());
    });
}
