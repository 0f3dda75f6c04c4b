/** A code for the problem, for programs to compare. */
export type ClientErrorCode =
  /** The server did not answer, or said that it cannot answer now. The client asks again later. */
  | "server-unreachable"
  /** The server refuses the request, for example because of the API key. */
  | "server-refused"
  /** The answer is longer than the limit. */
  | "answer-too-long"
  /** The answer does not follow the protocol, or does not belong to this request. */
  | "answer-wrong"
  /**
   * An update does not match its checksum, or a stored list cannot be read. The client keeps the version that it had,
   * if it had one.
   */
  | "list-damaged"
  /** The server does not know the key for requests through a relay. A pinned key has to be replaced. */
  | "relay-key-unknown"
  /** The server has no list with this name. */
  | "list-unknown"
  /** The list is not loaded, and is therefore not searched. */
  | "list-missing"
  /** `apply` failed, or returned something other than the list. The list stays as it was. */
  | "apply-failed"
  /** `onNewList` refused a new version of a list. The list stays as it was. */
  | "update-refused"
  /** `onRequest` refused the request. Nothing was sent. */
  | "request-refused"
  /** `stop` ended the request. */
  | "stopped"
  /** The storage failed, or did not answer in time. */
  | "storage-failed"
  /** The client does not update its lists itself, but follows its storage. */
  | "follows-storage"
  /** An option is not valid. */
  | "option-invalid";

interface ClientErrorFacts extends ErrorOptions {
  readonly list?: string | null | undefined;
  readonly status?: number | null | undefined;
  readonly retryAfter?: number | null | undefined;
}

/**
 * The error that a client throws and reports. The message never contains the API key or a URL that was checked.
 *
 * Compare `code`, not the class.
 */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;
  /** The list that the error is about; `null` when it is not about a single one. */
  readonly list: string | null;
  /** The HTTP status of the answer, which may have broken off; `null` when there was none. */
  readonly status: number | null;
  /** How long the server asks the client to wait after this error, in milliseconds; `null` when it does not say. */
  readonly retryAfter: number | null;

  constructor(code: ClientErrorCode, message: string, facts: ClientErrorFacts = {}) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = code;
    this.list = facts.list ?? null;
    this.status = facts.status ?? null;
    this.retryAfter = facts.retryAfter ?? null;
  }
}

/** @param hint advice for the user, such as a similar name; `""` when there is nothing. */
export function listUnknown(name: string, host: string, hint = ""): ClientError {
  const message = `The server ${host} has no list ${JSON.stringify(name)}${hint}`;
  return new ClientError("list-unknown", message, { list: name });
}

/** @param reason why `onNewList` has refused the version, after a colon; `""` when that is not known. */
export function updateRefused(name: string, reason = "", cause?: unknown): ClientError {
  const message = `The new version of the list ${name} was refused${reason}`;
  return new ClientError("update-refused", message, { list: name, cause });
}

export function listMissing(name: string): ClientError {
  return new ClientError("list-missing", `The list ${name} is not loaded`, { list: name });
}

/** The error of `update` when another client updates the lists. */
export function updatesElsewhere(): ClientError {
  const message = 'With updates: "follow", another client of the storage updates the lists';
  return new ClientError("follows-storage", message);
}

/** The error for a list name that the protocol does not have. */
export function listNameInvalid(name: string, expected: string, cause?: unknown): ClientError {
  const message = `lists has ${JSON.stringify(name)}, which is not ${expected}`;
  return new ClientError("option-invalid", message, { list: name, cause });
}
