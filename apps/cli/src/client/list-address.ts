import type { ClientError } from "@x/client";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { isListName, type Storage, type StoreError, type StoreErrorCode } from "@x/list-store";
import { httpStorage, type TransportOptions } from "@x/list-store/http";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Io } from "../context.ts";
import { cacheHash } from "./open-client.ts";

export interface FetchOptions {
  /** A public key, or the name of a file of public keys. */
  readonly publicKey?: string;
  readonly trustFirstKey?: boolean;
  readonly allowExpired?: boolean;
  /** The prefix length, which is one of the choices of `--bytes`. By default, the length does not change. */
  readonly bytes?: string;
}

/** A list in a store. The URL of the list is the address of the store, a slash and the name of the list. */
export interface ListAddress {
  readonly url: string;
  /** The URL of the store. */
  readonly store: string;
  readonly list: string;
  /** The name of the list's folder in the cache, made of the list's name and the beginning of the URL's hash. */
  readonly fileName: string;
  readonly open: (io: Pick<Io, "env">, options: TransportOptions) => Promise<Storage>;
}

const FORM = "https://HOST/PATH/NAME or s3://BUCKET/PATH/NAME";

/** @throws {Failure} when the text is not the URL of a list. */
export function parseListAddress(text: string): ListAddress {
  const refuse = (reason: string): never => {
    throw new Failure(`${printable(text)} cannot be the URL of a list: ${reason}`);
  };
  if (!URL.canParse(text)) refuse(`expected ${FORM}`);
  const url = new URL(text);
  const { protocol, username, password, search, hash, pathname } = url;
  if (username + password + search + hash !== "") {
    // The text may contain a secret, so the message does not repeat it.
    throw new Failure("the URL of a list must have no user name, password, query or fragment");
  }
  const [list = "", ...rest] = pathname.split("/").reverse();
  const path = rest.reverse().join("/");
  if (!isListName(list)) refuse(`it must end in the name of a list, as in ${FORM}`);
  const isS3 = protocol === "s3:";
  if (!(isS3 ? url.port === "" : /^https?:$/.test(protocol))) refuse(`expected ${FORM}`);
  const start = cacheHash(url.href);
  const store = `${protocol}//${url.host}${path}/`;
  return {
    url: url.href,
    store,
    list,
    fileName: `${list}-${start}`,
    async open({ env }, options) {
      if (!isS3) return httpStorage(store, options);
      const { s3Environment, s3Storage } = await import("@x/list-store/s3");
      return s3Storage({
        bucket: url.hostname,
        prefix: path.slice(1),
        ...s3Environment(env),
        ...options,
      });
    },
  };
}

const ADVICE: Partial<Record<StoreErrorCode, string>> = {
  expired: "; urlhash list fetch --allow-expired writes it to a file anyway",
};

/** Returns the failure for an error of the client or of a store. Other errors are thrown. */
export function failureOf(error: unknown, { url }: Pick<ListAddress, "url">): Failure {
  if (!hasName<StoreError>(error, "StoreError") && !hasName<ClientError>(error, "ClientError")) {
    throw error;
  }
  const { message, code, cause } = error;
  if (code === "list-unknown") return new Failure(`there is no list at ${printable(url)}`);
  const problem = (cause as StoreError | undefined)?.code;
  const advice = (problem && ADVICE[problem]) ?? "";
  return new Failure(printable(message + advice), { cause: error });
}
