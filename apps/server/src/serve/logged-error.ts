import { StoreError } from "@x/list-store";

/**
 * An error for the log. Messages of store errors name only files and objects. Other messages may repeat a client's
 * input, so they are left out.
 */
export function withoutInput(error: unknown): { type: string; message?: string; stack: string } {
  const { name = "Error", stack = "" } = error instanceof Error ? error : {};
  return {
    type: name,
    ...(error instanceof StoreError && { message: error.message }),
    stack: stack
      .split("\n")
      .filter((line) => line.startsWith("    at "))
      .join("\n"),
  };
}
