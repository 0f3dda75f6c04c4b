/** Why publishing kept an older version of a list. */
export const KEPT_REASONS = [
  ...(["source", "removals", "rollback", "withdrawal", "other-list", "failure"] as const),
];
export type KeptReason = (typeof KEPT_REASONS)[number];

/** Whether the operator wants the list in this state, because it is current, rolled back or withdrawn. */
export const isIntended = (reason: KeptReason | null): boolean =>
  reason === null || reason === "rollback" || reason === "withdrawal";

/** Returns the exit status for the reasons of all lists: 2 if a list failed, 1 if one was refused, otherwise 0. */
export function exitStatusFor(reasons: readonly (KeptReason | null)[]): number {
  if (reasons.includes("failure")) return 2;
  return reasons.every(isIntended) ? 0 : 1;
}
