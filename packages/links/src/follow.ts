export { type FollowOptions, followLink } from "./follow/follow-link.ts";
export type {
  CheckAnswer,
  FollowedLink,
  FollowFetch,
  FollowReason,
  FollowRequest,
  FollowResponse,
  Hop,
} from "./follow/hop.ts";
