import { toHex } from "@x/sha256-prefix";
import { AwsV4Signer } from "aws4fetch";
import { StoreError } from "../error.ts";
import { isVersionKey, OBJECTS_FOLDER } from "../keys.ts";
import { longestFile } from "../storage/longest-file.ts";
import { checkFolder, checkKey, type Storage, type StorageEntry } from "../storage/storage.ts";
import {
  type Answer,
  type Sending,
  type TransportOptions,
  transport,
} from "../transport/transport.ts";
import { s3Address } from "./address.ts";
import { tryReadListPage } from "./list-page.ts";
import { errorFor, problemOf } from "./s3-error.ts";

/** The values of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface S3StorageOptions extends TransportOptions {
  readonly bucket: string;
  /** The path of the store in the bucket; the whole bucket by default. */
  readonly prefix?: string | undefined;
  readonly credentials: S3Credentials;
  /** `us-east-1` by default. */
  readonly region?: string | undefined;
  /** The address of an S3 server; AWS by default. */
  readonly endpoint?: string | undefined;
  /**
   * Whether the bucket is in the path of addresses instead of the host. By default, it is in the path if `endpoint` is
   * set or if its name has a dot.
   */
  readonly pathStyle?: boolean | undefined;
  /** The time with which requests are signed, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const DEFAULT_REGION = "us-east-1";
const MAX_PAGE_BYTES = 2 ** 24;
/** The error codes of S3 when two `create` calls collide. S3 has then written nothing. */
const CONFLICTS: readonly (string | null)[] = ["ConditionalRequestConflict", "OperationAborted"];

interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** The `Cache-Control` header of a file, for readers over plain HTTPS. */
function cacheControl(key: string): string {
  const isImmutable = key.startsWith(OBJECTS_FOLDER) || isVersionKey(key);
  return isImmutable ? "max-age=31536000, immutable" : "max-age=60";
}

async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return toHex(new Uint8Array(hash));
}

/**
 * A store in a bucket of S3, or of a server that speaks S3.
 *
 * Races between publishers are decided by the header `If-None-Match: *`. Publishing to a server that ignores it is
 * refused before anything but a mark is written.
 */
export function s3Storage(options: S3StorageOptions): Storage {
  const { region = DEFAULT_REGION, now = Date.now } = options;
  const { accessKeyId, secretAccessKey, sessionToken } = options.credentials;
  const { bucket, prefix, url } = s3Address({
    bucket: options.bucket,
    prefix: options.prefix ?? "",
    region,
    endpoint: options.endpoint ?? null,
    pathStyle: options.pathStyle,
  });
  const where = `The store at s3://${bucket}/${prefix}`;
  const send = transport(where, options);
  const signingKeys = new Map<string, ArrayBuffer>();

  /** Signs each attempt, because a signature is valid for only a few minutes. */
  async function ask(path: string, request: S3Request, sending: Sending): Promise<Answer> {
    const { method, body } = request;
    const target = new URL(url + path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      target.searchParams.set(name, value);
    }
    const hash = await sha256Hex(body ?? new Uint8Array(0));
    return send(async () => {
      const signer = new AwsV4Signer({
        accessKeyId,
        secretAccessKey,
        ...(sessionToken && { sessionToken }),
        method,
        url: target.href,
        headers: { ...request.headers, "x-amz-content-sha256": hash },
        service: "s3",
        region,
        datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, ""),
        cache: signingKeys,
      });
      const { headers } = await signer.sign();
      const init: RequestInit = { method, headers, redirect: "manual", cache: "no-store" };
      if (body !== undefined) init.body = body as Uint8Array<ArrayBuffer>;
      return { url: target.href, init };
    }, sending);
  }

  const askFor = (key: string, request: S3Request, sending: Partial<Sending> = {}) =>
    ask(prefix + key, request, {
      key,
      most: MAX_PAGE_BYTES,
      bytesSent: request.body?.length ?? 0,
      ...sending,
    });
  const fail = (key: string, answer: Answer) =>
    errorFor({ where, bucket, now: now() }, key, answer);

  async function askForPage(folder: string, next: string | null): Promise<Answer> {
    const query = {
      "list-type": "2",
      prefix: prefix + folder,
      delimiter: "/",
      "encoding-type": "url",
      ...(next !== null && { "continuation-token": next }),
    };
    return ask("", { method: "GET", query }, { key: folder, most: MAX_PAGE_BYTES });
  }

  /*
   * If a client may not list the bucket, S3 answers with status 403 for missing files. Such a client must still be able
   * to ask for the next version. If a client may list, 403 means that access is refused.
   */
  let mayList: Promise<boolean> | null = null;
  async function mayBeMissing(key: string): Promise<boolean> {
    if (!isVersionKey(key)) return false;
    mayList ??= askForPage(key.slice(0, key.lastIndexOf("/") + 1), null).then(
      ({ status }) => status === 200,
    );
    mayList.catch(() => {
      mayList = null;
    });
    return !(await mayList);
  }

  async function write(key: string, bytes: Uint8Array, headers: Record<string, string>) {
    const request: S3Request = {
      method: "PUT",
      headers: {
        "content-type": "application/octet-stream",
        "cache-control": cacheControl(key),
        ...headers,
      },
      body: bytes,
    };
    const isTemporary = (answer: Answer) =>
      answer.status === 409 && CONFLICTS.includes(problemOf(answer).code);
    return askFor(key, request, { isTemporary });
  }

  return {
    async get(key, most) {
      checkKey(key);
      const answer = await askFor(key, { method: "GET" }, { most: longestFile(key, most) });
      const { status, bytes } = answer;
      if (status === 200) return bytes;
      const { code } = problemOf(answer);
      if (status === 404 && code === "NoSuchKey") return null;
      if (status === 403 && code === "AccessDenied" && (await mayBeMissing(key))) return null;
      throw fail(key, answer);
    },
    async create(key, bytes) {
      checkKey(key);
      const answer = await write(key, bytes, { "if-none-match": "*" });
      if (answer.status >= 200 && answer.status < 300) return true;
      if (answer.status === 412) return false;
      if (answer.status === 501) {
        throw new StoreError(
          "not-create-only",
          `${where} cannot create a file only if it does not exist yet, so two publishers could overwrite each other's versions`,
        );
      }
      throw fail(key, answer);
    },
    async put(key, bytes) {
      checkKey(key);
      const answer = await write(key, bytes, {});
      if (answer.status < 200 || answer.status >= 300) throw fail(key, answer);
    },
    async list(folder) {
      checkFolder(folder);
      const entries: StorageEntry[] = [];
      const asked = new Set<string>();
      for (let next: string | null = null; ; ) {
        const answer = await askForPage(folder, next);
        if (answer.status !== 200) throw fail(folder, answer);
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
    },
    async delete(key) {
      checkKey(key);
      const answer = await askFor(key, { method: "DELETE" });
      const { status } = answer;
      const isGone =
        (status >= 200 && status < 300) ||
        (status === 404 && problemOf(answer).code === "NoSuchKey");
      if (!isGone) throw fail(key, answer);
    },
  };
}
