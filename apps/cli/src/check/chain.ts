import { inputText } from "@x/explain";
import {
  type CheckAnswer,
  FOLLOW_LIMITS,
  type FollowedLink,
  type FollowReason,
  type Hop,
} from "@x/links/follow";
import type { Command } from "commander";
import type { InputOptions } from "../input/arguments-or-lines.ts";
import { foreignInput } from "../input/foreign-input.ts";
import type { Follow } from "./follower.ts";

/** The option of commands that follow links, within the limits of `followLink`. */
export interface FollowOptions {
  readonly follow?: boolean;
}

export function addFollowOption(command: Command): Command {
  return command.option("--follow", "follow redirects: this asks the servers of the URLs");
}

export const FOLLOW_HELP = `With --follow, each URL that is not listed is requested, and so is what it
redirects to, with the headers Location and Refresh or with a refresh in the
page. Every URL is checked before it is requested. At the first listed one, the
command stops, and the given URL is listed. stderr names each URL before it is
requested. THE SERVERS LEARN THAT SOMEBODY FOLLOWS THE LINK, and a request may
do something, such as confirm an address or unsubscribe. No cookies and no
scripts are used, and private and local addresses are refused. A URL that could
not be followed to its end is "unsure", with the reason.`;

/** The maximum number of arguments or links that are followed at the same time. */
const FOLLOWED_AT_ONCE = 8;

/**
 * The maximum number of parts of the input that are evaluated at the same time: 1 for blocks of lines, because a block
 * is valid only until the next one is read.
 */
export function mostOpenOf(
  args: readonly string[],
  { find, follow }: Pick<InputOptions, "find"> & { readonly follow?: boolean },
): number {
  const hasBlocks = !find && (args.length === 0 || args.includes("-"));
  return follow && !hasBlocks ? FOLLOWED_AT_ONCE : 1;
}

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

const WORDS = { unsafe: "listed", safe: "not-listed", unsure: "unsure" } as const;

/** The reasons why a chain of redirects was not followed to its end. */
const REASONS: Readonly<Record<Exclude<FollowReason, "status">, string>> = {
  "check-unsure": "there is no verdict on the last URL",
  "check-failed": "the last URL could not be checked",
  "url-invalid": "the target of the redirect is not a URL",
  "scheme-unsupported": "only http and https URLs can be requested",
  loop: "it leads back to a URL that was already requested",
  hops: `there are more than ${FOLLOW_LIMITS.maxHops} redirects`,
  bytes: `the pages have more than ${FOLLOW_LIMITS.maxBytes} bytes`,
  time: `it took longer than ${FOLLOW_LIMITS.timeout / 1000} seconds`,
  aborted: "it was stopped",
  "address-refused": "the address is private or local",
  "request-failed": "there is no usable response",
  "redirect-hidden": "the redirect does not say where it leads",
  "encoding-unknown": "the page has an unknown encoding",
};

/** The kinds of redirect from a URL to the next one. */
const VIA: Readonly<Record<Hop["via"], string>> = {
  given: "",
  location: "redirect",
  refresh: "header Refresh",
  meta: "refresh in the page",
};

/** Whether a URL could not be followed to its end. */
export function isUnfinished({ verdict }: FollowedLink): boolean {
  return verdict === "unsure";
}

/** The code for an unfinished chain in the member `reason` of a record. */
export function chainCode({ reason }: FollowedLink): string {
  return `follow-${reason}`;
}

/** Converts a chain to plain data. */
export function chainRecord({ hops }: FollowedLink): readonly object[] {
  return hops.map(({ url, written, via, status, verdict, reason }) => {
    return { url, written, via, status, verdict: verdict && WORDS[verdict], reason };
  });
}

/** Describes a chain, with one line for each redirect, and one more line if the end was not reached. */
export function chainLines(followed: FollowedLink): string[] {
  const { hops } = followed;
  const lines = hops.slice(1).map(({ url, written, via }, i) => {
    return `leads to ${url ?? written} (${VIA[via]}, status ${hops[i]!.status})`;
  });
  return isUnfinished(followed)
    ? [...lines, `not followed to its end: ${whyText(followed)}`]
    : lines;
}

function whyText({ reason, hops }: FollowedLink): string {
  const last = hops.at(-1);
  if (reason === "status") return `the server answers with status ${last?.status}`;
  const why = REASONS[reason!];
  const message = reason === "request-failed" ? innermostMessage(last?.error) : "";
  return message === "" ? why : `${why} (${message})`;
}

/** Returns the message of the innermost cause: the error of `fetch` itself only says that the request failed. */
function innermostMessage(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth++) {
    inner = inner.cause;
  }
  return inner instanceof Error ? inner.message : "";
}
