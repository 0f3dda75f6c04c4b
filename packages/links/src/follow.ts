export { FOLLOW_LIMITS } from "./follow/follow-limits.ts";
export { followLink } from "./follow/follow-link.ts";
export type { CheckAnswer, FollowedLink, FollowFetch, FollowReason, Hop } from "./follow/hop.ts";
