import { toHex } from "@x/sha256-prefix";
import { AwsV4Signer } from "aws4fetch";
import type { StoreError } from "../error.ts";
import {
  type HttpAnswer,
  type Sending,
  type TransportOptions,
  transport,
} from "../transport/send-with-retries.ts";
import { s3Address } from "./address.ts";
import { errorFor } from "./s3-error.ts";

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
   * Whether the bucket is in the path of addresses instead of the host. By default, the bucket is in the path if
   * `endpoint` is set or if the name of the bucket has a dot.
   */
  readonly pathStyle?: boolean | undefined;
  /** The time with which requests are signed, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const DEFAULT_REGION = "us-east-1";
const MAX_PAGE_BYTES = 2 ** 24;

export interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Sends signed requests about the keys of a store in a bucket. */
export interface S3Requests {
  /** The name of the store, as the beginning of a sentence. */
  readonly where: string;
  /** The path of the store in the bucket. */
  readonly prefix: string;
  send(key: string, request: S3Request, sending?: Partial<Sending>): Promise<HttpAnswer>;
  /**
   * Asks for a page of the listing of a folder. `next` is the token from the previous page; `null` for the first one.
   */
  sendForPage(folder: string, next: string | null): Promise<HttpAnswer>;
  errorFor(key: string, answer: HttpAnswer): StoreError;
}

async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return toHex(new Uint8Array(hash));
}

/** Returns a function that signs a request to an address. A signature is valid for only a few minutes. */
function requestSigner({
  credentials: { accessKeyId, secretAccessKey, sessionToken },
  region,
  now,
}: {
  readonly credentials: S3Credentials;
  readonly region: string;
  readonly now: () => number;
}) {
  const cache = new Map<string, ArrayBuffer>();
  return async (url: string, { method, headers, body }: S3Request, hash: string) => {
    const signer = new AwsV4Signer({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken && { sessionToken }),
      method,
      url,
      headers: { ...headers, "x-amz-content-sha256": hash },
      service: "s3",
      region,
      datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, ""),
      cache,
    });
    const signed = await signer.sign();
    const init: RequestInit = {
      method,
      headers: signed.headers,
      redirect: "manual",
      cache: "no-store",
    };
    if (body !== undefined) init.body = body as Uint8Array<ArrayBuffer>;
    return { url, init };
  };
}

export function s3Requests(options: S3StorageOptions): S3Requests {
  const { region = DEFAULT_REGION, now = Date.now } = options;
  const { bucket, prefix, url } = s3Address({
    bucket: options.bucket,
    prefix: options.prefix ?? "",
    region,
    endpoint: options.endpoint ?? null,
    pathStyle: options.pathStyle,
  });
  const where = `The store at s3://${bucket}/${prefix}`;
  const send = transport(where, options);
  const sign = requestSigner({ credentials: options.credentials, region, now });

  async function ask(path: string, request: S3Request, sending: Sending): Promise<HttpAnswer> {
    const target = new URL(url + path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      target.searchParams.set(name, value);
    }
    const hash = await sha256Hex(request.body ?? new Uint8Array(0));
    // Each attempt gets a signature of its own.
    return send(() => sign(target.href, request, hash), sending);
  }

  return {
    where,
    prefix,
    send(key, request, sending = {}) {
      const bytesSent = request.body?.length ?? 0;
      return ask(prefix + key, request, { key, most: MAX_PAGE_BYTES, bytesSent, ...sending });
    },
    sendForPage(folder, next) {
      const query = {
        "list-type": "2",
        prefix: prefix + folder,
        delimiter: "/",
        "encoding-type": "url",
        ...(next !== null && { "continuation-token": next }),
      };
      return ask("", { method: "GET", query }, { key: folder, most: MAX_PAGE_BYTES });
    },
    errorFor: (key, answer) => errorFor({ where, bucket, now: now() }, key, answer),
  };
}
