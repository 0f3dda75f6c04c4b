import { oddsText } from "@x/explain";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import { chanceOfFalseMatch } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import type { VNode } from "preact";
import { ENGINE_NAMES } from "../../model/engine.ts";
import { splitLists } from "../../model/page-list.ts";
import type { CheckProgress } from "../../workers/bulk-jobs.ts";
import type { RunningCheck } from "./use-bulk-check.ts";

const number = (n: number): string => n.toLocaleString("en");

/** For fewer lines than this, the speed means nothing. */
const FEWEST_TIMED = 1000;
/** For fewer chance hits than this, the exact number means nothing. */
const LEAST_TOLD = 0.01;

function doneText({ checked, counts, engine, milliseconds }: CheckProgress): string {
  const perSecond = milliseconds > 0 ? Math.round((1000 * checked) / milliseconds) : 0;
  const speed = checked < FEWEST_TIMED ? "" : `, ${number(perSecond)} URLs per second`;
  return `Done. ${number(counts.listed)} of ${number(checked)} listed. Engine: ${ENGINE_NAMES[engine]}${speed}.`;
}

function statusOf({ phase, progress, problem }: RunningCheck): string {
  if (phase === "failed") return `Failed: ${problem}.`;
  if (phase === "running" || progress === null) return "Checking …";
  return phase === "done" ? doneText(progress) : "Cancelled. The results so far stay below.";
}

/** Says how many of the URLs can be expected to be listed by chance. */
function chanceText(lists: readonly PrefixList[], urls: number): string {
  if (lists.length === 0) return "There was no list, so nothing could be listed.";
  const chance = chanceOfFalseMatch(lists);
  const hits = chance * urls;
  const expected =
    hits < LEAST_TOLD
      ? `fewer than ${LEAST_TOLD}`
      : `about ${hits.toLocaleString("en", { maximumSignificantDigits: 2 })}`;
  return `With ${lists.length > 1 ? "these lists" : "this list"}, ${oddsText(chance)} (for URLs of average length). Among ${counted(urls, "URL", "URLs")}, expect ${expected} such chance hits.`;
}

/** The progress of a check and the meaning of its result. */
export function Summary({ check }: { readonly check: RunningCheck }): VNode {
  const { phase, progress } = check;
  const total = Math.max(1, progress?.total ?? 1);
  const { checked = 0, counts } = progress ?? {};
  return (
    <>
      <progress
        aria-label="Progress"
        max={total}
        value={phase === "done" ? total : (progress?.done ?? 0)}
      />
      <p role="status">{printable(statusOf(check))}</p>
      {progress !== null && (
        <p class="muted">
          {chanceText(splitLists(check.lists).lists, checked - counts!["not-a-url"])}
        </p>
      )}
    </>
  );
}
