import { StoreError } from "../error.ts";
import type { S3StorageOptions } from "./s3-requests.ts";

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
