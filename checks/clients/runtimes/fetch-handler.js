import { tryParts } from "./program.js";

/** A storage of `@x/client` in a KV namespace. */
const kvStorage = (kv) => ({
  async get(name) {
    const bytes = await kv.get(name, "arrayBuffer");
    return bytes === null ? null : new Uint8Array(bytes);
  },
  put: (name, bytes) => kv.put(name, bytes),
  delete: (name) => kv.delete(name),
});

export default {
  async fetch(_request, { SERVER, LISTS }) {
    return Response.json(await tryParts(SERVER, LISTS && kvStorage(LISTS)));
  },
};
