/** The default of the option `grace`, in milliseconds. */
export const USUAL_GRACE: number = 24 * 60 * 60_000;

/**
 * When a list becomes outdated if no update succeeds, in milliseconds since 1970: `grace` after the next update is due.
 *
 * @param checkedAt when the server last said that the list is the newest version.
 * @param wait how long lists are current after an update, in milliseconds.
 */
export function outdatedFrom(checkedAt: number, wait: number, grace: number): number {
  return checkedAt + wait + grace;
}

/** The time in which lists are not outdated, by the times when each was last checked. */
export function usableTime(
  checked: readonly number[],
  wait: number,
  grace: number,
): { readonly from: number; readonly until: number } {
  return {
    // If the clock has been set back by more than `grace`, the age of the lists is not known.
    from: Math.max(-Infinity, ...checked) - grace,
    until: outdatedFrom(Math.min(Infinity, ...checked), wait, grace),
  };
}
