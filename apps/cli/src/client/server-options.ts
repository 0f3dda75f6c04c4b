import type { ProtocolName } from "@x/client";

/** The options of commands that keep the lists of a server. */
export interface ServerOptions {
  readonly server: string;
  readonly protocol?: ProtocolName;
  /** Names, or several of them separated by commas. */
  readonly lists?: readonly string[];
  readonly keyFile?: string;
  /** A public key, or a file of them. */
  readonly publicKey?: string;
  readonly database?: string;
}
