import type { Protocols } from "./protocol.ts";
import { STORE } from "./store.ts";
import { V4 } from "./v4.ts";
import { V5 } from "./v5.ts";
import { WEB_RISK } from "./web-risk.ts";

/** The protocols, by the names that `createClient` takes. */
export const PROTOCOLS: Protocols = {
  v5: V5,
  v4: V4,
  "web-risk": WEB_RISK,
  store: STORE,
};
