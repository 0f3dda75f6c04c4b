import { StoreError } from "../error.ts";
import { fetchOnServer, type HttpAnswer, type TransportOptions, transport } from "../requests.ts";
import {
  checkFolder,
  checkKey,
  isVersionKey,
  longestFile,
  OBJECTS_FOLDER,
  type Storage,
} from "../storage.ts";

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

/**
 * Whether the answer says that there is no such file. Throws if the answer neither says that nor contains the file.
 */
function saysMissing(where: string, key: string, { status, bytes }: HttpAnswer): boolean {
  if (status === 404 || status === 410) return true;
  // S3 sends this status for missing files when the bucket cannot be listed. A reader without access still gets an
  // error, because the hint is read first and is refused.
  if (status === 403 && isVersionKey(key)) return true;
  if (status === 401 || status === 403) {
    throw new StoreError("refused", `${where} refuses access to ${key} (status ${status})`);
  }
  if (status !== 200) {
    throw new StoreError("not-a-store", `${where} answers with status ${status} for ${key}`);
  }
  if (isWebPage(bytes)) {
    throw new StoreError("not-a-store", `${where} sends a web page instead of the file ${key}`);
  }
  return false;
}

/**
 * Returns a function that says whether an answer means that a file is missing.
 *
 * Some hosts answer with status 200 for files that they do not have, so every version would seem to exist. After
 * two versions, the function therefore asks for one that no store has, unless the host has reported a missing file
 * before.
 */
export function missingFiles(
  where: string,
  fetchKey: (key: string) => Promise<HttpAnswer>,
): (key: string, answer: HttpAnswer) => Promise<boolean> {
  let reportsMissing = false;
  let firstVersion: string | null = null;
  async function checkVersions(key: string): Promise<void> {
    firstVersion ??= key;
    if (reportsMissing || firstVersion === key) return;
    const none = key.replace(/\d+$/, "000000000000");
    reportsMissing = saysMissing(where, none, await fetchKey(none));
    if (!reportsMissing) {
      throw new StoreError(
        "not-a-store",
        `${where} answers with status 200 for files that do not exist, such as ${none}`,
      );
    }
  }

  return async (key, answer) => {
    if (saysMissing(where, key, answer)) {
      reportsMissing = true;
      return true;
    }
    if (isVersionKey(key)) await checkVersions(key);
    return false;
  };
}

const START = /^\s*<(?:!doctype\s+html|html|head|body)[\s>]/i;
const START_BYTES = 256;

/**
 * Whether a file is a web page. No file of a store is one, but some hosts send a page with status 200 for missing
 * files.
 */
function isWebPage(bytes: Uint8Array): boolean {
  return START.test(new TextDecoder().decode(bytes.subarray(0, START_BYTES)));
}
