import { toHex } from "@x/sha256-prefix";
import { quote } from "@x/sha256-prefix/quote";
import { AwsV4Signer } from "aws4fetch";
import { StoreError } from "../error.ts";
import { type HttpAnswer, type Sending, type TransportOptions, transport } from "../requests.ts";
import { isVersionKey } from "../storage.ts";
import { textOf, tryParseXml } from "./xml.ts";

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

/** The error in an answer of S3, whose fields are `null` when they are missing. */
interface S3Problem {
  readonly code: string | null;
  readonly message: string | null;
  readonly region: string | null;
  readonly endpoint: string | null;
  readonly serverTime: string | null;
}

export function problemOf({ bytes, headers }: HttpAnswer): S3Problem {
  const root = tryParseXml(new TextDecoder().decode(bytes));
  const field = (name: string) => (root?.name === "Error" && textOf(root, name)) || null;
  return {
    code: field("Code"),
    message: field("Message"),
    region: headers.get("x-amz-bucket-region") ?? field("Region"),
    endpoint: field("Endpoint"),
    serverTime: field("ServerTime") ?? headers.get("date"),
  };
}

const ELSEWHERE: readonly (string | null)[] = [
  "AuthorizationHeaderMalformed",
  "IllegalLocationConstraintException",
  "PermanentRedirect",
  "TemporaryRedirect",
];
const SESSION: readonly (string | null)[] = [
  "ExpiredToken",
  "InvalidToken",
  "TokenRefreshRequired",
];

const remedy = (where: string, bucket: string, { code, region, endpoint }: S3Problem): string => {
  if (region !== null) {
    return `The bucket ${bucket} is in the region ${quote(region, 0)}: set AWS_REGION`;
  }
  if (endpoint !== null) {
    return `The bucket ${bucket} is at ${quote(endpoint, 0)}: set AWS_ENDPOINT_URL_S3`;
  }
  return `${where} is in another region${code === null ? "" : ` (${code})`}: set AWS_REGION`;
};

interface Answered {
  /** The name of the storage, as the beginning of a sentence. */
  readonly where: string;
  readonly bucket: string;
  /** The time of this machine, in milliseconds since 1970. */
  readonly now: number;
}

/** The error for an unexpected answer of S3. Where possible, the message suggests a remedy. */
function errorFor({ where, bucket, now }: Answered, key: string, answer: HttpAnswer): StoreError {
  const { status } = answer;
  const problem = problemOf(answer);
  const { code, message, serverTime } = problem;
  if (code === "NoSuchBucket") {
    return new StoreError("not-a-store", `${where} cannot be used: there is no bucket ${bucket}`);
  }
  if (code === "InvalidAccessKeyId") {
    return new StoreError(
      "refused",
      `${where} does not know the access key: check AWS_ACCESS_KEY_ID`,
    );
  }
  if (code === "SignatureDoesNotMatch") {
    return new StoreError(
      "refused",
      `${where} refuses the secret key: check AWS_SECRET_ACCESS_KEY`,
    );
  }
  if (SESSION.includes(code)) {
    return new StoreError(
      "refused",
      `${where} refuses the session token: renew AWS_SESSION_TOKEN, or unset it`,
    );
  }
  if (code === "RequestTimeTooSkewed") {
    const theirs = serverTime === null ? "another time" : quote(serverTime, 0);
    return new StoreError(
      "wrong-clock",
      `The clock of this machine says ${new Date(now).toISOString()}, but the storage says ${theirs}: set the clock that is wrong`,
    );
  }
  const isRedirect = status >= 300 && status < 400 && (problem.region ?? problem.endpoint) !== null;
  // Browsers hide the status and the target of a redirect.
  if (ELSEWHERE.includes(code) || status === 0 || isRedirect) {
    return new StoreError("refused", remedy(where, bucket, problem));
  }
  const said = [code, message].filter((part) => part !== null).join(": ");
  const answered = `status ${status}${said === "" ? "" : `, ${quote(said, 0)}`}`;
  if (status === 401 || status === 403) {
    return new StoreError(
      "refused",
      `${where} refuses access to ${key} (${answered}): the access key lacks a permission, or the file is missing and the key may not list`,
    );
  }
  return new StoreError(
    "not-a-store",
    `${where} does not answer as S3 does for ${key} (${answered})`,
  );
}

/**
 * Returns a function that says whether the answer `AccessDenied` may mean that a file is missing.
 *
 * If a client may not list the bucket, S3 answers with status 403 for missing files. The client must still be able to
 * ask for the next version. If a client may list the bucket, 403 means that access is refused.
 */
export function missingFiles(requests: S3Requests): (key: string) => Promise<boolean> {
  let mayList: Promise<boolean> | null = null;
  return async (key) => {
    if (!isVersionKey(key)) return false;
    mayList ??= requests
      .sendForPage(key.slice(0, key.lastIndexOf("/") + 1), null)
      .then(({ status }) => status === 200);
    mayList.catch(() => {
      mayList = null;
    });
    return !(await mayList);
  };
}

/** The place of a store in S3. */
interface S3Address {
  readonly bucket: string;
  /** `""`, or a path that ends in `/`. */
  readonly prefix: string;
  /** The address of the bucket, which ends in `/`. */
  readonly url: string;
}

const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/;
const REGION = /^[a-z0-9][a-z0-9-]{0,62}$/;
const PREFIX = /^(?:[A-Za-z0-9_=-][A-Za-z0-9._=-]*\/)*$/;

function parseEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isUsable =
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.username + url.password + url.search + url.hash === "";
  if (!isUsable) {
    throw new StoreError(
      "invalid",
      `The endpoint ${quote(endpoint, 0)} is not a URL of an S3 server, such as https://s3.example`,
    );
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** The S3 endpoint of AWS in a region. */
function awsEndpoint(region: string): URL {
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return new URL(`https://s3.${region}.${domain}/`);
}

/**
 * The address of a store in a bucket. By default, the bucket is in the path if there is an endpoint or if the name of
 * the bucket has a dot.
 */
function s3Address(options: {
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: string | null;
  readonly pathStyle: boolean | undefined;
}): S3Address {
  const { bucket, region, endpoint } = options;
  if (!BUCKET.test(bucket)) {
    throw new StoreError("invalid", `${quote(bucket, 0)} cannot name a bucket`);
  }
  if (!REGION.test(region)) {
    throw new StoreError("invalid", `${quote(region, 0)} cannot name a region`);
  }
  const path = options.prefix.replace(/^\/|\/$/g, "");
  const prefix = path === "" ? "" : `${path}/`;
  if (!PREFIX.test(prefix)) {
    throw new StoreError(
      "invalid",
      `${quote(options.prefix, 0)} cannot be the path of a store in a bucket: use letters, digits and . _ = - between slashes`,
    );
  }
  const url = endpoint === null ? awsEndpoint(region) : parseEndpoint(endpoint);
  // The certificates of AWS do not cover bucket names with dots.
  if (options.pathStyle ?? (endpoint !== null || bucket.includes("."))) {
    url.pathname += `${bucket}/`;
  } else {
    url.hostname = `${bucket}.${url.hostname}`;
  }
  return { bucket, prefix, url: url.href };
}
