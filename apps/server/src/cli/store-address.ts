import { resolve } from "node:path";
import { Failure } from "@x/command-line";
import type { S3Place } from "@x/list-store/s3";

/** The options that locate a store and the files beside it. */
export interface StoreOptions {
  readonly store: string;
  readonly files?: string;
  readonly s3Endpoint?: string;
  readonly s3Region?: string;
}

/** Returns the S3 server and region that the options name. */
export function s3PlaceOf({ s3Endpoint, s3Region }: Omit<StoreOptions, "store">): S3Place {
  return { endpoint: s3Endpoint, region: s3Region };
}

/** The address of a store. `shown` is the form for messages, without credentials or a query. */
export type StoreAddress = { readonly shown: string } & (
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string }
  | { readonly kind: "http"; readonly url: string }
);

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

function webAddress(url: string): StoreAddress {
  if (!URL.canParse(url)) throw new Failure("The address of the store is not a URL");
  const { protocol, host, pathname } = new URL(url);
  return { kind: "http", url, shown: `${protocol}//${host}${pathname}` };
}

/** Parses the value of `--store`: a directory, `s3://BUCKET/PREFIX`, or the URL of a store that can only be read. */
export function parseStore(store: string): StoreAddress {
  const scheme = SCHEME.exec(store)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined: {
      const directory = resolve(store);
      return { kind: "directory", directory, shown: directory };
    }
    case "s3": {
      const [bucket = "", ...names] = store.slice("s3://".length).split("/");
      const prefix = names.filter((name) => name !== "").join("/");
      return { kind: "s3", bucket, prefix, shown: `s3://${bucket}/${prefix}` };
    }
    case "http":
    case "https":
      return webAddress(store);
    default:
      throw new Failure(
        `A store cannot be at ${scheme}://: give a directory, s3://BUCKET/PREFIX or https://HOST/PATH/`,
      );
  }
}
