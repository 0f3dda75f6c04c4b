import type { ClientError } from "@x/client";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import type { StoreError, StoreErrorCode } from "@x/list-store";
import { isClientError } from "../load-client.ts";
import type { ListAddress } from "./list-address.ts";

const ADVICE: Partial<Record<StoreErrorCode, string>> = {
  expired: "; urlhash list fetch --allow-expired writes it to a file anyway",
};

/** Returns the failure for an error of the client or of a store. Other errors are thrown. */
export function failureOf(error: unknown, { url }: ListAddress): Failure {
  const { name, message, code, cause } = error as ClientError | StoreError;
  if (name !== "StoreError" && !isClientError(error)) throw error;
  if (code === "list-unknown") return new Failure(`there is no list at ${printable(url)}`);
  const problem = (cause as StoreError | undefined)?.code;
  const advice = (problem && ADVICE[problem]) ?? "";
  return new Failure(printable(message + advice), { cause: error });
}
