export type { Relay } from "../requests/requester.ts";
export { throughRelay } from "./through-relay.ts";
