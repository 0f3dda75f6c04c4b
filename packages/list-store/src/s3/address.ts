import { quote } from "@x/sha256-prefix/quote";
import { StoreError } from "../error.ts";

/** The place of a store in S3. */
export interface S3Address {
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
export function s3Address(options: {
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
