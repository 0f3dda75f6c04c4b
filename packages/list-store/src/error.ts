/** A code for the problem with a store. */
export type StoreErrorCode =
  /** An object or manifest that must exist does not. */
  | "missing"
  /** Garbage collection has deleted part of an older version. */
  | "collected"
  /** A file that has the wrong hash, is too long, or cannot be decoded. */
  | "damaged"
  /** A manifest in a format that a newer version of this package writes. */
  | "newer-format"
  /** A manifest in a format that an earlier version of this package wrote. The next version upgrades the store. */
  | "older-format"
  /** A manifest that no trusted key has signed, or a signing key that may not sign the next version. */
  | "wrongly-signed"
  /** The store shows an older version than one that was seen before. */
  | "rolled-back"
  /** Two different manifests claim the same version. */
  | "forked"
  /** A manifest is in the folder of another list. */
  | "misplaced"
  /** The newest manifest is past its expiry. */
  | "expired"
  /** The list was retired, so no version that does not retire it may follow. */
  | "retired"
  /** The newest manifest was signed more than a day in the future. */
  | "signed-in-future"
  /** The clocks of the publisher and of the storage are too far apart. */
  | "wrong-clock"
  /**
   * The newest version was signed more than an hour after the current time of the publisher. Its clock, or that of the
   * previous publisher, is wrong.
   */
  | "signed-later"
  /** The storage replaces an existing key that it was asked to create, or does not support conditional writes. */
  | "not-create-only"
  /**
   * The difference to a new version does not result in that version, or its full hashes are in the wrong order or are
   * too few or too many.
   */
  | "unverified"
  /** The storage did not answer, or answered only with temporary errors. Try again later. */
  | "unreachable"
  /** The storage refuses access. The message says why. */
  | "refused"
  /**
   * There is no store at the address: the host sends web pages for missing files, the bucket does not exist, or the
   * server does not speak S3.
   */
  | "not-a-store"
  /** The storage does not support the operation, because it is read-only or has no listings. */
  | "unsupported"
  /** A name, key, file or address that was passed in is not valid. */
  | "invalid";

/** The error for problems with a store, with a version to be published, and with names, keys and addresses. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  /**
   * Another list that the problem is about, or `null`. The message does not name that list, because it may be private.
   */
  readonly list: string | null;

  constructor(
    code: StoreErrorCode,
    message: string,
    options?: ErrorOptions & { readonly list?: string },
  ) {
    super(message, options);
    this.code = code;
    this.list = options?.list ?? null;
  }
}

/** Whether an error means that an object or a manifest does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof StoreError && error.code === "missing";
}

/** Throws an error again, unless it means that an object or a manifest does not exist. */
export function unlessMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** Whether an error means that the storage has lost or damaged a file. */
export function isLost(error: unknown): boolean {
  return error instanceof StoreError && (error.code === "missing" || error.code === "damaged");
}
