export type { Relay } from "../requests/relay.ts";
export { type RelayOptions, throughRelay } from "./through-relay.ts";
