import type { ProtocolName } from "@x/client";
import { Failure } from "@x/command-line";
import { KEY_VARIABLE } from "../input/api-key.ts";

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
  /** The prefix length of a store's lists, which is one of the choices of `--bytes`. */
  readonly bytes?: string;
}

/** The options for searches through a relay. */
export interface RelayedOptions {
  readonly relay?: string;
  /** A file with the keys of the server, or the URL of the keys. */
  readonly relayKeys?: string;
  readonly relayUpdates?: boolean;
}

/**
 * Parses the address of the server. Errors do not repeat the address, because it may contain a key.
 *
 * @throws {Failure} when the address is not a URL, or has parts that it must not have.
 */
export function serverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Failure('--server takes a URL, such as "https://safebrowsing.googleapis.com"');
  }
  if (url.username + url.password + url.search + url.hash !== "") {
    throw new Failure(
      `the URL of --server must have no user name, password, query or fragment: give an API key with --key-file or in ${KEY_VARIABLE}`,
    );
  }
  return url;
}

/** @throws {Failure} when an option does not fit the protocol. */
export function checkServerOptions({ protocol, keyFile, publicKey, bytes }: ServerOptions): void {
  if (protocol === "store" && keyFile !== undefined) {
    throw new Failure("--key-file is not for stores: they have no API keys");
  }
  if ((protocol === "store") !== (publicKey !== undefined)) {
    throw new Failure(
      protocol === "store"
        ? "--protocol store needs the publisher's public key, as in --public-key store.pub"
        : "--public-key needs --protocol store",
    );
  }
  if (protocol !== "store" && bytes !== undefined) {
    throw new Failure("--bytes needs --protocol store");
  }
}
