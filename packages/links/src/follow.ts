export { FOLLOW_LIMITS, followLink } from "./follow/follow-link.ts";
export type { CheckAnswer, FollowedLink, FollowFetch, FollowReason, Hop } from "./follow/hop.ts";
