import type { StoreError } from "@x/list-store";
import { hasName } from "@x/sha256-prefix/has-name";

/**
 * An error for the log. Messages of store errors name only files and objects. Other messages may repeat a client's
 * input, so they are left out.
 */
export function withoutInput(error: unknown): { type: string; message?: string; stack: string } {
  const { name = "Error", stack = "" } = error instanceof Error ? error : {};
  return {
    type: name,
    ...(hasName<StoreError>(error, "StoreError") && { message: error.message }),
    stack: stack
      .split("\n")
      .filter((line) => line.startsWith("    at "))
      .join("\n"),
  };
}
