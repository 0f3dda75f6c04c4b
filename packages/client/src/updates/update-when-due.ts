import { type ListKeeper, setListsBack } from "../lists/list-keeper.ts";
import type { CheckedOptions } from "../options.ts";
import { createSchedule } from "../schedule/schedule.ts";
import { delayFirst, nextDue, setTimesBack, type UpdateTimes } from "../schedule/update-times.ts";
import type { Updater, Upkeep } from "./updater.ts";

export interface UpdateWhenDueOptions extends Pick<CheckedOptions, "now" | "timers" | "random"> {
  readonly keeper: ListKeeper;
  readonly times: UpdateTimes;
  /** Called when the times were corrected, because the clock was set back. */
  readonly onChange: () => void;
}

/** Updates lists whenever they are due, from `start` to `stop`. */
export function updateWhenDue(updater: Updater, options: UpdateWhenDueOptions): Upkeep {
  const { keeper, times, random, onChange, now, timers } = options;
  const schedule = createSchedule({
    due: () => nextDue(times, now()) ?? now(),
    onSetBack(milliseconds) {
      setTimesBack(times, milliseconds);
      setListsBack(keeper, milliseconds);
      onChange();
    },
    // The error is ignored here, because `status` returns it.
    run: () =>
      updater.update("due").then(
        () => {},
        () => {},
      ),
    now,
    timers,
  });
  return {
    get isRunning() {
      return schedule.isRunning;
    },
    start() {
      if (schedule.isRunning) return;
      delayFirst(times, now(), random());
      schedule.start();
    },
    stop: schedule.stop,
  };
}
