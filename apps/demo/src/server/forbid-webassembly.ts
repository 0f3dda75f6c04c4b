const SOURCE = " 'wasm-unsafe-eval'";

/**
 * Takes the permission out of the policy that the page itself holds, so that it knows: it can read that one,
 * and not the one in the header.
 */
export function forbidWebAssembly(path: string, body: Uint8Array): Uint8Array {
  if (path !== "/index.html") return body;
  return new TextEncoder().encode(new TextDecoder().decode(body).replace(SOURCE, ""));
}
