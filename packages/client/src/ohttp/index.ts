export { throughRelay } from "./through-relay.ts";
