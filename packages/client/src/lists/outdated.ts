/** The default of the option `grace`, in milliseconds. */
export const USUAL_GRACE: number = 24 * 60 * 60_000;

/**
 * The time in which lists are not outdated, and when their next update is `due`, in milliseconds since 1970. If no update
 * succeeds, the lists become outdated `grace` after it was due.
 *
 * @param checked when the server last said of each list that it is the newest version.
 * @param wait how long lists are current after an update, in milliseconds.
 */
export function usableTime(
  checked: readonly number[],
  wait: number,
  grace: number,
): { readonly from: number; readonly due: number; readonly until: number } {
  const due = Math.min(Infinity, ...checked) + wait;
  return {
    // If the clock has been set back by more than `grace`, the age of the lists is not known.
    from: Math.max(-Infinity, ...checked) - grace,
    due,
    until: due + grace,
  };
}
