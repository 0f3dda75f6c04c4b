import { setListsBack } from "../lists/list-keeper.ts";
import type { CheckedOptions } from "../options.ts";
import { createSchedule, type Upkeep } from "../schedule/schedule.ts";
import { delayFirst, nextDue, setTimesBack } from "../schedule/update-times.ts";
import type { UpdateParts } from "./run-update.ts";
import type { Updater } from "./updater.ts";

export interface UpdateWhenDueOptions
  extends Pick<UpdateParts, "keeper" | "times" | "onChange">,
    Pick<CheckedOptions, "now" | "timers" | "random"> {}

export function updateWhenDue(updater: Updater, options: UpdateWhenDueOptions): Upkeep {
  const { keeper, times, random, onChange, now, timers } = options;
  return createSchedule({
    onStart: () => delayFirst(times, now(), random()),
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
}
