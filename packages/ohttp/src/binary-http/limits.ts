/** The limits for reading a message. */
export interface MessageLimits {
  /** The maximum length of the message in bytes, including padding; 1 MiB by default. */
  readonly maxBytes?: number;
  /** The maximum number of fields in all sections together; 200 by default. */
  readonly maxFields?: number;
}

export const DEFAULT_MAX_BYTES: number = 2 ** 20;
export const DEFAULT_MAX_FIELDS = 200;
