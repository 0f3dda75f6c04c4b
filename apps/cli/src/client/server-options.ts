import type { ProtocolName } from "@x/client";

/** The options of commands that keep the lists of a server. */
export interface ServerOptions {
  readonly server: string;
  readonly protocol?: ProtocolName;
  /** Names of lists. One text may have several names, separated by commas. */
  readonly lists?: readonly string[];
  readonly keyFile?: string;
  /** A public key, or the name of a file of public keys. */
  readonly publicKey?: string;
  readonly database?: string;
  /** The length of the prefixes of a store's lists: one of the choices of `--bytes`. */
  readonly bytes?: string;
}

/** The options of searches through a relay. */
export interface RelayedOptions {
  readonly relay?: string;
  /** A file with the keys of the server, or the URL of the keys. */
  readonly relayKeys?: string;
  readonly relayUpdates?: boolean;
}
