import type { Context } from "../context.ts";
import { isIntended } from "./intended-outcomes.ts";
import {
  type Group,
  type Outcomes,
  type Publisher,
  publishGroups,
  type TimedOutcome,
} from "./publish-lists.ts";
import { type ListState, writeMetrics } from "./publisher-metrics.ts";
import type { ListSettings } from "./settings.ts";

export interface PublisherMetrics {
  /** The metrics file, or `null` if no metrics are written. */
  readonly file: string | null;
  /** The lists that the metrics file covers. */
  readonly lists: readonly ListSettings[];
  /** The state of each list that this process has tried to publish. */
  readonly states: Map<string, ListState>;
}

const UNKNOWN: ListState = { kept: null, manifest: null, seconds: null, succeeded: null };

function stateAfter(
  { kept, manifest, seconds }: TimedOutcome,
  { manifest: known, succeeded }: ListState = UNKNOWN,
): ListState {
  return {
    kept,
    seconds,
    manifest: manifest ?? known,
    succeeded: isIntended(kept) ? Date.now() : succeeded,
  };
}

/** Publishes groups of lists, and writes the metrics even if publishing fails. */
export async function publishMeasured(
  groups: readonly Group[],
  publisher: Publisher,
  { file, lists, states }: PublisherMetrics,
  context: Context,
): Promise<Outcomes> {
  try {
    const outcomes = await publishGroups(groups, publisher, context);
    for (const [list, outcome] of outcomes) states.set(list, stateAfter(outcome, states.get(list)));
    return outcomes;
  } catch (error) {
    for (const { list } of groups.flat())
      states.set(list, { ...(states.get(list) ?? UNKNOWN), kept: "failure" });
    throw error;
  } finally {
    context.progress.erase();
    if (file !== null) {
      const own = lists.flatMap(({ list }) => {
        const state = states.get(list);
        return state === undefined ? [] : [[list, state] as const];
      });
      await writeMetrics(file, new Map(own), publisher.sources.states());
    }
  }
}
