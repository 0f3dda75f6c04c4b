/** The limits for reading a message. */
export interface MessageLimits {
  /** The maximum length of the message in bytes, including padding. The default is 1 MiB. */
  readonly maxBytes?: number;
  /** The maximum number of fields in all sections together. The default is 200. */
  readonly maxFields?: number;
}

export const DEFAULT_MAX_BYTES: number = 2 ** 20;
export const DEFAULT_MAX_FIELDS = 200;
