/** The option for the trusted public key. */
export interface StoredListOptions {
  /** A public key, or the name of a file of public keys. */
  readonly publicKey?: string;
}

export interface FetchOptions extends StoredListOptions {
  readonly trustFirstKey?: boolean;
  readonly allowExpired?: boolean;
  /** The prefix length, which is one of the choices of `--bytes`. By default, the length does not change. */
  readonly bytes?: string;
}
