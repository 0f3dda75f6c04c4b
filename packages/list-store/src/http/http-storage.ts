import { StoreError } from "../error.ts";
import { OBJECTS_FOLDER } from "../keys.ts";
import { longestFile } from "../storage/longest-file.ts";
import { checkFolder, checkKey, type Storage } from "../storage/storage.ts";
import { fetchOnServer } from "../transport/redirects.ts";
import {
  type HttpAnswer,
  type TransportOptions,
  transport,
} from "../transport/send-with-retries.ts";
import { missingFiles } from "./missing-files.ts";

function parseBase(text: string | URL): URL {
  const base = URL.canParse(text) ? new URL(text) : null;
  const isUsable =
    base !== null &&
    (base.protocol === "https:" || base.protocol === "http:") &&
    base.username + base.password + base.search + base.hash === "";
  if (!isUsable) {
    throw new StoreError(
      "invalid",
      "The address of a store must begin with https:// or http://, and have no password, query or fragment",
    );
  }
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return base;
}

function requestFor(key: string): RequestInit {
  return {
    method: "GET",
    // Objects never change. Other files may be newer than the browser's cache. Cloudflare's Workers refuse "default".
    ...(!key.startsWith(OBJECTS_FOLDER) && { cache: "no-cache" as const }),
    credentials: "omit",
    referrerPolicy: "no-referrer",
  };
}

/**
 * A storage that reads a store from any web server with a copy of the store's files. The storage uses only GET
 * requests, and has no listings. Redirects are followed only on the same server, and never in browsers.
 *
 * Manifests and objects are verified by signatures and hashes, so neither the host nor a cache has to be trusted. A
 * cache may delay a reader, which sees a new version only once the cache has dropped both `head` and its 404 for that
 * version. Once the newest version that a reader can see has expired, reading fails with `expired`.
 */
export function httpStorage(address: string | URL, options?: TransportOptions): Storage {
  const base = parseBase(address);
  const where = `The store at ${base.href}`;
  const { fetch: sendOne = fetch } = options ?? {};
  const send = transport(where, { ...options, fetch: fetchOnServer(sendOne, where) });

  function fetchKey(key: string, most?: number): Promise<HttpAnswer> {
    const url = base.href + key;
    const init = requestFor(key);
    return send(() => ({ url, init }), { key, most: longestFile(key, most) });
  }

  const isMissing = missingFiles(where, fetchKey);

  async function refuseToWrite(key: string): Promise<never> {
    checkKey(key);
    throw new StoreError("unsupported", `${where} is read-only`);
  }

  return {
    async get(key, most) {
      checkKey(key);
      const answer = await fetchKey(key, most);
      return (await isMissing(key, answer)) ? null : answer.bytes;
    },
    create: refuseToWrite,
    put: refuseToWrite,
    delete: refuseToWrite,
    async list(folder) {
      checkFolder(folder);
      throw new StoreError("unsupported", `${where} cannot list its files`);
    },
  };
}
