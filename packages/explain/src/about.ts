/** Why the entries of a list are on it, and whom to tell of a mistake, in the words of its publisher. */
export interface ListAbout {
  readonly reason?: string | undefined;
  readonly contact?: string | undefined;
}

/**
 * Formats what the publisher of a list says about it, for people. Returns `""` when the publisher says nothing.
 *
 * @example
 * ```ts
 * import { aboutText } from "@x/explain/about";
 *
 * aboutText({ reason: "phishing", contact: "lists@example.com" }); // → "phishing; lists@example.com"
 * ```
 */
export function aboutText({ reason, contact }: ListAbout): string {
  return [reason, contact].filter((each) => each !== undefined).join("; ");
}
