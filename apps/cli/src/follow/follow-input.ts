import { inputText } from "@x/explain";
import type { CheckAnswer, FollowedLink } from "@x/links/follow";
import { foreignInput } from "../input/foreign-input.ts";
import type { Follow } from "./follower.ts";

/** Browsers differ in how they read bytes that are not UTF-8, so the target of an input with them is not known. */
const NOT_TEXT: FollowedLink<never> = { verdict: "unsure", reason: "url-invalid", hops: [] };

/**
 * Follows an input. Returns `undefined` for an input that looks like another format, because such inputs are refused.
 */
export async function followInput<Answer extends CheckAnswer>(
  input: string | Uint8Array,
  follow: Follow,
  check: (url: string) => Answer | Promise<Answer>,
): Promise<FollowedLink<Answer> | undefined> {
  if (foreignInput(input, "URL") !== null) return undefined;
  const url = inputText(input);
  return typeof url === "string" ? follow(url, check) : NOT_TEXT;
}
