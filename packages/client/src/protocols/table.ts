import type { Protocol } from "./protocol.ts";
import { V5 } from "./v5.ts";

/** The name of a protocol. */
export type ProtocolName = "v5";

/** The protocols, by the names that `createClient` takes. */
export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = { v5: V5 };
