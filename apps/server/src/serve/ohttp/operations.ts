import type { Operation } from "../open-api/operation.ts";

export const KEYS_TYPE = "application/ohttp-keys";
export const REQUEST_TYPE = "message/ohttp-req";
export const RESPONSE_TYPE = "message/ohttp-res";

/** The path at which clients expect a gateway and its keys (RFC 9540 §4). */
export const GATEWAY_PATH = "/.well-known/ohttp-gateway";

export const OHTTP_KEYS: Operation = {
  id: "ohttp.keys",
  summary: "The key for requests over Oblivious HTTP",
  answers: { 200: ["The key", { [KEYS_TYPE]: null }] },
};

export const OHTTP: Operation = {
  id: "ohttp",
  summary: "A request to one of the methods of the API, over Oblivious HTTP",
  description:
    "The encrypted request may be for the methods of Safe Browsing and Web Risk at this server, and for nothing else. Errors of the method are in the encrypted answer.",
  body: { [REQUEST_TYPE]: null },
  answers: { 200: ["The encrypted answer", { [RESPONSE_TYPE]: null }] },
};
