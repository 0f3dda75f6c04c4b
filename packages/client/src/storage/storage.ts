/**
 * Where a client keeps its lists: bytes by name, whole or not at all. A name has 1 to 200 of the characters `a` to
 * `z`, `0` to `9`, `.`, `_` and `-`, and starts with a letter.
 */
export interface ClientStorage {
  /** The bytes with this name; `null` when there are none. The client does not change them. */
  get(name: string, signal?: AbortSignal): Promise<Uint8Array | null>;
  /** Replaces the bytes with this name. After a failure, either the old or the new bytes are there, as a whole. */
  put(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  delete(name: string, signal?: AbortSignal): Promise<void>;
  /** Only where another process may write: calls when a name was replaced, and returns what stops that. */
  watch?(onChange: (name: string) => void): () => void;
}
