import { quote } from "@x/sha256-prefix/quote";
import { StoreError } from "../error.ts";
import type { HttpAnswer } from "../transport/send-with-retries.ts";
import { textOf, tryParseXml } from "./xml.ts";

/** The error in an answer of S3, whose fields are `null` when they are missing. */
export interface S3Problem {
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
export function errorFor(
  { where, bucket, now }: Answered,
  key: string,
  answer: HttpAnswer,
): StoreError {
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
      `${where} refuses access to ${key} (${answered}): the access key lacks a right, or the file is missing and the key may not list`,
    );
  }
  return new StoreError(
    "not-a-store",
    `${where} does not answer as S3 does for ${key} (${answered})`,
  );
}
