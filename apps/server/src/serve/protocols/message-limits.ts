import { MAX_BODY_BYTES } from "../http/read-body.ts";

/**
 * The limits on a request message. In JSON, 1000 prefixes are 2000 values, and 100 lists with their constraints are
 * 1500 values. Requests may not name more prefixes or lists.
 */
export const MESSAGE_LIMITS = { maxBytes: MAX_BODY_BYTES, maxValues: 2 ** 12 };
