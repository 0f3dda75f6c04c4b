import { fullHash } from "@x/sha256-prefix";

/**
 * The SHA-256 of bytes, computed by the platform unless there is no `crypto.subtle`, as in pages that are not served
 * securely.
 */
export async function platformHash(bytes: Uint8Array): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined) return fullHash(bytes);
  return new Uint8Array(await subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
}
