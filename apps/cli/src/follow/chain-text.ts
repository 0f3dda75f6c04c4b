import { printable } from "@x/explain/printable";
import { FOLLOW_LIMITS, type FollowedLink, type FollowReason, type Hop } from "@x/links/follow";

const WORDS = { unsafe: "listed", safe: "not-listed", unsure: "unsure" } as const;

/** The reasons why a chain of redirects was not followed to its end. */
const REASONS: Readonly<Record<Exclude<FollowReason, "status">, string>> = {
  "check-unsure": "there is no verdict on the last URL",
  "check-failed": "the last URL could not be checked",
  "url-invalid": "the target of the redirect is not a URL",
  "scheme-unsupported": "only http and https URLs can be requested",
  loop: "it leads back to a URL that was requested",
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

/** Formats a chain as one field: its URLs, separated by spaces. */
export function chainField(followed: FollowedLink | undefined): string {
  const hops = followed?.hops ?? [];
  return hops.map(({ url, written }) => printable(url ?? written).replaceAll(" ", "%20")).join(" ");
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
