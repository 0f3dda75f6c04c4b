import { MAX_LINE_BYTES } from "@x/lookup/lines";
import type { HelperVerdict } from "./verdict.ts";

/*
 * The protocol of Squid's external ACL helpers. A request is a line "ID URI -", and its answer is "ID OK", "ID ERR" or
 * "ID BH". Without `concurrency=`, there are no IDs, and answers are in the order of the requests.
 * https://wiki.squid-cache.org/Features/AddonHelpers
 */

/** A request: a URL to check, or the verdict on a line without a URL. */
export type SquidRequest = {
  /** The ID and a space; empty when the request has no ID. */
  readonly channel: string;
} & (
  | { readonly url: string; readonly verdict: null }
  | { readonly url: null; readonly verdict: HelperVerdict }
);

/** Matches a request. Squid sends `-` in place of the arguments of the ACL, because there are none. */
const REQUEST = /^(\d{1,20} )?([!-~]+)(?: -)?$/;
const CHANNEL = /^\d{1,20} /;

/** Matches a URI with an authority. */
const WITH_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\//i;
const ESCAPED_BRACKETS = /^([^/]*\/\/)%5B([\da-f:.]*)%5D/i;
/** Matches the target of a tunnel, which is a host and a port. */
const TUNNEL = /^([^/?#@:]+|(?:\[|%5B)[\da-f:.]+(?:\]|%5D)):\d{1,5}$/i;

/**
 * Converts a URI from Squid to the URL to check, or `null` if there is none. Squid escapes characters that are not safe
 * in a URL, but leaves each "%" as the client sent it. This function therefore decodes only the brackets of an IPv6
 * address; canonicalization decodes the rest.
 */
function urlOf(uri: string): string | null {
  const host = TUNNEL.exec(uri)?.[1];
  const url = host === undefined ? uri : `https://${host}/`;
  return WITH_AUTHORITY.test(url) ? url.replace(ESCAPED_BRACKETS, "$1[$2]") : null;
}

/** Parses a line as a request. */
export function readSquidLine(line: string): SquidRequest {
  const [, channel = "", uri] = (line.length <= MAX_LINE_BYTES && REQUEST.exec(line)) || [];
  if (uri === undefined) {
    const reason = "the helper expects lines with one field: the format %URI";
    const found = CHANNEL.exec(line)?.[0] ?? "";
    return { channel: found, url: null, verdict: { kind: "unchecked", reason } };
  }
  const url = urlOf(uri);
  if (url !== null) return { channel, url, verdict: null };
  return { channel, url: null, verdict: { kind: "unreadable", reason: "not a URL with a host" } };
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

export interface AnswerOptions {
  /**
   * Whether to answer unchecked requests with a tag, so that Squid's rules decide. Otherwise, the answer is BH, and
   * Squid denies the request.
   */
  readonly tagsUnchecked: boolean;
}

/** Formats the answer to a request, with the line ending. */
export function squidAnswer(
  channel: string,
  verdict: HelperVerdict,
  { tagsUnchecked }: AnswerOptions,
): string {
  if (verdict.kind === "not-listed") return `${channel}ERR\n`;
  const message = `message=${quoted(verdict.reason)}`;
  if (verdict.kind === "unchecked" && !tagsUnchecked) return `${channel}BH ${message}\n`;
  return `${channel}OK tag=${verdict.kind} ${message}\n`;
}
