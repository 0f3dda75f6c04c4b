export type { Relay } from "../requests/relay.ts";
export { throughRelay } from "./through-relay.ts";
