import { StoreError } from "../error.ts";
import type { HttpAnswer } from "../requests.ts";
import {
  checkFolder,
  checkKey,
  isVersionKey,
  longestFile,
  OBJECTS_FOLDER,
  type Storage,
  type StorageEntry,
} from "../storage.ts";
import {
  missingFiles,
  problemOf,
  type S3Request,
  type S3Requests,
  type S3StorageOptions,
  s3Requests,
} from "./requests.ts";
import { tryReadListPage } from "./xml.ts";

/** The error codes of S3 when two `create` calls collide. S3 has then written nothing. */
const CONFLICTS: readonly (string | null)[] = ["ConditionalRequestConflict", "OperationAborted"];

const isSuccess = ({ status }: HttpAnswer) => status >= 200 && status < 300;

/** Writes a file. If two `create` calls collide, the request is sent again. */
async function write(
  { send }: S3Requests,
  key: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const usual = { "content-type": "application/octet-stream", "cache-control": cacheControl(key) };
  const request: S3Request = { method: "PUT", headers: { ...usual, ...headers }, body };
  const isTemporary = (answer: HttpAnswer) =>
    answer.status === 409 && CONFLICTS.includes(problemOf(answer).code);
  return send(key, request, { isTemporary });
}

/** Lists a folder, page by page. */
async function listFolder(requests: S3Requests, folder: string): Promise<StorageEntry[]> {
  const { where, prefix } = requests;
  const entries: StorageEntry[] = [];
  const asked = new Set<string>();
  for (let next: string | null = null; ; ) {
    const answer = await requests.sendForPage(folder, next);
    if (answer.status !== 200) throw requests.errorFor(folder, answer);
    const page = tryReadListPage(answer.bytes, prefix + folder);
    if (page === null || (page.next !== null && asked.has(page.next))) {
      throw new StoreError(
        "not-a-store",
        `${where} does not answer as S3 does when ${JSON.stringify(folder)} is listed`,
      );
    }
    for (const entry of page.entries) entries.push(entry);
    if (page.next === null) break;
    asked.add(page.next);
    next = page.next;
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * A store in a bucket of S3, or of a server that speaks S3.
 *
 * Races between publishers are decided by the header `If-None-Match: *`. Publishing to a server that ignores this
 * header is refused before anything but a mark is written.
 */
export function s3Storage(options: S3StorageOptions): Storage {
  const requests = s3Requests(options);
  const mayBeMissing = missingFiles(requests);

  return {
    async get(key, most) {
      checkKey(key);
      const answer = await requests.send(key, { method: "GET" }, { most: longestFile(key, most) });
      const { status, bytes } = answer;
      if (status === 200) return bytes;
      const { code } = problemOf(answer);
      if (status === 404 && code === "NoSuchKey") return null;
      if (status === 403 && code === "AccessDenied" && (await mayBeMissing(key))) return null;
      throw requests.errorFor(key, answer);
    },
    async create(key, bytes) {
      checkKey(key);
      const answer = await write(requests, key, bytes, { "if-none-match": "*" });
      if (isSuccess(answer)) return true;
      if (answer.status === 412) return false;
      if (answer.status === 501) {
        throw new StoreError(
          "not-create-only",
          `${requests.where} cannot create a file only if it does not exist yet, so two publishers could overwrite each other's versions`,
        );
      }
      throw requests.errorFor(key, answer);
    },
    async put(key, bytes) {
      checkKey(key);
      const answer = await write(requests, key, bytes);
      if (!isSuccess(answer)) throw requests.errorFor(key, answer);
    },
    async list(folder) {
      checkFolder(folder);
      return listFolder(requests, folder);
    },
    async delete(key) {
      checkKey(key);
      const answer = await requests.send(key, { method: "DELETE" });
      const isMissing = answer.status === 404 && problemOf(answer).code === "NoSuchKey";
      if (!isSuccess(answer) && !isMissing) throw requests.errorFor(key, answer);
    },
  };
}

/** The `Cache-Control` header of a file, for readers over plain HTTPS. */
function cacheControl(key: string): string {
  const isImmutable = key.startsWith(OBJECTS_FOLDER) || isVersionKey(key);
  return isImmutable ? "max-age=31536000, immutable" : "max-age=60";
}

/** The place of a bucket. These values take precedence over the environment variables. */
export interface S3Place {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
}

/**
 * The bucket options from the `AWS_…` variables that S3 tools read. `place` takes precedence.
 *
 * @param env such as `process.env`.
 * @throws {StoreError} `refused` when the access key or the secret key is missing.
 */
export function s3Environment(
  env: Readonly<Record<string, string | undefined>>,
  place: S3Place = {},
): Pick<S3StorageOptions, "credentials" | "region" | "endpoint"> {
  const read = (...names: readonly string[]) => names.map((name) => env[name]).find(Boolean);
  const accessKeyId = read("AWS_ACCESS_KEY_ID");
  const secretAccessKey = read("AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new StoreError(
      "refused",
      "A store in a bucket needs an access key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  }
  return {
    credentials: { accessKeyId, secretAccessKey, sessionToken: read("AWS_SESSION_TOKEN") },
    region: place.region ?? read("AWS_REGION", "AWS_DEFAULT_REGION"),
    endpoint: place.endpoint ?? read("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
  };
}
