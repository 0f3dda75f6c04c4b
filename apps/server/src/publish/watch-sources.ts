import { setTimeout } from "node:timers/promises";
import { stateOf } from "../storage/file-state.ts";
import type { FetchedSources } from "./fetch/fetched-sources.ts";

const POLL = 1000;
const HOUR = 3_600_000;

/**
 * Publishes now and whenever a source changes, until the process is told to stop. It also publishes often enough to
 * sign versions again before they expire. `publish` is told whether a source has changed. If its first call fails, the
 * error is thrown. Later errors are reported, and publishing is retried.
 */
export async function watchSources(
  files: readonly string[],
  fetched: FetchedSources,
  publish: (hasChanged: boolean) => Promise<unknown>,
  renewWithin: number,
  complain: (line: string) => void,
): Promise<void> {
  const renewEvery = Math.min(HOUR, renewWithin / 2);
  const ended = new AbortController();
  const end = () => ended.abort();
  process.once("SIGTERM", end).once("SIGINT", end);
  let fetching: Promise<void> | undefined;
  try {
    // The state is taken before the sources are read, so that a change during the reading is noticed afterwards.
    const stateOfAll = async () => `${await stateOf(files)}\n${fetched.state()}`;
    await fetched.fetchDue(ended.signal);
    if (ended.signal.aborted) return;
    let state = await stateOfAll();
    let next = Date.now() + renewEvery;
    await publish(true);
    while (!ended.signal.aborted) {
      await setTimeout(POLL, undefined, { signal: ended.signal }).catch(() => {});
      fetching = fetched.fetchDue(ended.signal);
      const now = await stateOfAll();
      if (ended.signal.aborted || (now === state && Date.now() < next)) continue;
      const hasChanged = now !== state;
      state = now;
      next = Date.now() + renewEvery;
      await publish(hasChanged).catch((error) => complain((error as Error).message));
    }
  } finally {
    end();
    await fetching;
    process.off("SIGTERM", end).off("SIGINT", end);
  }
}
