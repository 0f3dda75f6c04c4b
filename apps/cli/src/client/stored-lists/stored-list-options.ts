/** The options for the trusted public key and for the cache of lists. */
export interface StoredListOptions {
  /** A public key, or the name of a file of public keys. */
  readonly publicKey?: string;
  readonly cache?: string;
}

export interface FetchOptions extends StoredListOptions {
  readonly trustFirstKey?: boolean;
  readonly allowExpired?: boolean;
  /** The maximum time without progress, in milliseconds. */
  readonly timeout?: number;
  /** The prefix length, which is one of the choices of `--bytes`. By default, the length does not change. */
  readonly bytes?: string;
}
