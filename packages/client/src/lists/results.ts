import type { PrefixList } from "@x/prefix-list";
import type { ClientError } from "../error.ts";
import type { ApplyListJob } from "./list-job.ts";

/** What a program does in the updates of its client. */
export interface UpdateOptions {
  /** Decodes and applies updates elsewhere, such as in a worker; `applyListJob` by default. Not for stores. */
  readonly apply?: ApplyListJob | undefined;
  /** Called with each new version of a list before it is kept. The function may refuse the version. */
  readonly onNewList?: OnNewList | undefined;
  /**
   * Called after each update, with its result or its error, whoever began the update. The function is not called for an
   * update that `stop` or its callers ended. An error that the function throws becomes an unhandled rejection.
   */
  readonly onUpdate?: OnUpdate | undefined;
}

/** The effect of an update on one list. */
export interface UpdatedList {
  readonly name: string;
  /** Whether the list now has another version. */
  readonly changed: boolean;
  /** The numbers of entries that were added and removed, and the number of entries now. */
  readonly added: number;
  readonly removed: number;
  readonly size: number;
  /** The number of bytes of encoded entries that were received. */
  readonly bytes: number;
  /** Why the list was thrown away, or could not be updated; otherwise `null`. */
  readonly error: ClientError | null;
}

/** The result of an update. */
export interface UpdateResult {
  readonly lists: readonly UpdatedList[];
  /** The number of bytes in all answers. */
  readonly bytes: number;
  /** When the next update is due, in milliseconds since 1970. */
  readonly nextUpdate: number;
  /** Why something could not be stored; `null` when nothing failed. The client uses the new lists in either case. */
  readonly storageError: ClientError | null;
}

/** How an update ended: with a result, or with the error that `update` throws. */
export type UpdateEnd =
  | { readonly result: UpdateResult; readonly error: null }
  | { readonly result: null; readonly error: ClientError };

/** Called after each update, whoever began it. */
export type OnUpdate = (end: UpdateEnd) => unknown;

/** The result of reading the storage. */
export interface LoadResult {
  readonly lists: readonly {
    readonly name: string;
    /** The number of entries; `null` when there is no list. */
    readonly size: number | null;
    readonly error: ClientError | null;
  }[];
  readonly storageError: ClientError | null;
}

/** A new version of a list, before the client keeps it. */
export interface NewList {
  readonly name: string;
  readonly list: PrefixList;
  /** The list that the client has; `null` when it has none. */
  readonly before: PrefixList | null;
}

/**
 * Called with each new version of a list before it is kept. When it returns `false`, throws or rejects, the list stays
 * as it was.
 */
export type OnNewList = (newList: NewList) => unknown;
