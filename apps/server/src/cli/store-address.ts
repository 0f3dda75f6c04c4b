import { resolve } from "node:path";
import { Failure } from "@x/command-line";

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

/** Parses the address of a store: a directory, `s3://BUCKET/PREFIX`, or the URL of a store that can only be read. */
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

/** The last part of the address of a store that is not a directory. */
function lastName(address: StoreAddress): string {
  const rest = address.shown.replace(/^[a-z0-9]+:\/\//i, "");
  return rest.split("/").findLast((name) => name !== "") ?? "";
}

/**
 * Returns the path of the files beside a store, without their extensions. The path is the setting `files` or the
 * store's directory. For other stores, it is the last part of the store's address, in the working directory.
 */
export function pathOfFiles(store: string, files: string | undefined): string {
  if (files !== undefined) return files;
  const address = parseStore(store);
  if (address.kind === "directory") return address.directory;
  const name = lastName(address);
  if (/^[A-Za-z0-9_][A-Za-z0-9._=-]*$/.test(name)) return resolve(name);
  throw new Failure(
    `The address ${address.shown} does not name the files of the store: name them, as in --set files=lists`,
  );
}
