/** Runs tasks in turns: each waiting client gets one task run before any other client gets two. */
export interface FairQueue {
  /**
   * Runs a task when it is its client's turn, and returns its result.
   *
   * @throws the error that `refusal` of {@link FairQueueOptions} makes, when too many tasks are waiting.
   */
  run<Result>(client: string, task: () => Promise<Result>): Promise<Result>;
}

export interface FairQueueOptions {
  /** How many tasks may run at the same time. */
  readonly atOnce: number;
  /** How many tasks of one client may wait. */
  readonly perClient: number;
  /** How many tasks may wait in total. */
  readonly total: number;
  /** Makes the error for a task when too many are waiting. */
  readonly refusal: () => Error;
}

export function fairQueue({ atOnce, perClient, total, refusal }: FairQueueOptions): FairQueue {
  /** The waiting tasks of each client, in the order in which the clients have their next turn. */
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  let running = 0;

  function startNext(): void {
    for (const [client, tasks] of waiting) {
      if (running >= atOnce) return;
      waiting.delete(client);
      const start = tasks.shift()!;
      if (tasks.length > 0) waiting.set(client, tasks);
      count--;
      running++;
      start();
    }
  }

  function end(): void {
    running--;
    startNext();
  }

  return {
    run(client, task) {
      const tasks = waiting.get(client) ?? [];
      if (tasks.length >= perClient || count >= total) return Promise.reject(refusal());
      return new Promise((resolve, reject) => {
        tasks.push(() => {
          const done = task();
          done.then(end, end);
          done.then(resolve, reject);
        });
        waiting.set(client, tasks);
        count++;
        startNext();
      });
    },
  };
}
