import { withTimeout } from "@x/list-store/transport";
import { ClientError } from "../error.ts";
import type { ClientStorage } from "../storage.ts";
import { oneAtATime } from "../tasks.ts";

/** Uses a storage that may fail or not answer. An error is kept, and does not end the operation. */
export interface StorageAccess {
  /** Begins an operation, such as reading all lists. */
  begin(): void;
  /** The last error in this operation; `null` when there was none. */
  readonly error: ClientError | null;
  /** The bytes under a name; `null` if there is no storage, or it failed. */
  read(
    what: string,
    name: string,
    signal?: AbortSignal,
  ): Promise<{ readonly result: Uint8Array | null } | null>;
  /** Changes the storage with `run`. `null` if there is no storage, or it failed. */
  write(
    what: string,
    run: (storage: ClientStorage, signal: AbortSignal) => Promise<void>,
  ): Promise<object | null>;
}

/** @param timeout a call of the storage is given up after this many milliseconds. */
export function createStorageAccess(storage: ClientStorage | null, timeout: number): StorageAccess {
  /**
   * Each write waits for the one before. A write that was given up may still run, and would otherwise bring back an
   * older list.
   */
  const inTurn = oneAtATime();
  let error: ClientError | null = null;
  /** Whether the storage did not answer in time. If so, the storage is not asked again until the next operation. */
  let isStalled = false;

  /** Calls the storage; `null` if there is none, or it failed. */
  async function attempt<Result>(
    what: string,
    run: (storage: ClientStorage, signal: AbortSignal) => Promise<Result>,
    outer?: AbortSignal,
  ): Promise<{ readonly result: Result } | null> {
    if (storage === null || isStalled) return null;
    let inner = undefined as AbortSignal | undefined;
    try {
      const result = await withTimeout(timeout, outer, async (signal) => {
        inner = signal;
        return run(storage, signal);
      });
      return { result };
    } catch (cause) {
      outer?.throwIfAborted();
      isStalled = inner?.aborted === true;
      const message = `The storage failed to ${what}: ${storageReason(cause)}`;
      error = new ClientError("storage-failed", message, { cause });
      return null;
    }
  }

  return {
    begin() {
      error = null;
      isStalled = false;
    },
    get error() {
      return error;
    },
    read: (what, name, signal) => attempt(what, (it, inner) => it.get(name, inner), signal),
    write: (what, run) =>
      attempt(what, (it, signal) =>
        inTurn(() => {
          signal.throwIfAborted();
          return run(it, signal);
        }),
      ),
  };
}

/** Matches a message of Node's file system, such as `EACCES: permission denied, open '/lists/mw'`. */
const OF_FILE_SYSTEM = /^E[A-Z0-9]+: (.*), [a-z]+(?: '(.*?)'(?: -> '.*')?)?$/s;

/**
 * Why a storage failed, in words. If the error names a file, the text begins with its path: `/lists/mw: permission
 * denied`.
 */
function storageReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [, reason, path] = OF_FILE_SYSTEM.exec(message) ?? [];
  if (reason === undefined) return message;
  return path === undefined ? reason : `${path}: ${reason}`;
}
