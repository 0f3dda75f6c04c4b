import { typeError } from "@x/canon/own-options";
import type { ExpressionOptions } from "@x/expressions";
import { readAsChromium, readAsFirefox } from "./browsers.ts";
import { readAsClamav } from "./clamav.ts";
import { readAsGoogleGo, readAsGoogleWebRisk } from "./google-go.ts";
import { readAsBoth, readAsBrowser, readAsSpecification } from "./specification.ts";
import type { ClientTexts } from "./texts.ts";

/** A kind of client: all programs that look up the same texts for a URL. */
export type ClientKind =
  /** The rules of Web Risk and Safe Browsing v4. */
  | "specification"
  /** The rules of Safe Browsing v5. */
  | "specification-v5"
  /** The rules of v4, applied to the URL that browsers open. */
  | "browser-reading"
  /** `urlhash`, its Squid helper, `/lookup` and other requests with whole URLs. */
  | "both-readings"
  | "firefox"
  | "chromium"
  /** Google's Go client for Safe Browsing. */
  | "google-go"
  /** Google's Go client for Web Risk. */
  | "google-webrisk"
  | "clamav";

/** Options for the client `specification-v5`. The other clients ignore these options. */
export type ReadOptions = ExpressionOptions;

const READ: Readonly<Record<ClientKind, (url: string, options: ReadOptions) => ClientTexts>> = {
  specification: (url) => readAsSpecification(url),
  "specification-v5": readAsSpecification,
  "browser-reading": readAsBrowser,
  "both-readings": readAsBoth,
  firefox: readAsFirefox,
  chromium: readAsChromium,
  "google-go": readAsGoogleGo,
  "google-webrisk": readAsGoogleWebRisk,
  clamav: readAsClamav,
};

/** All clients, in the order of reports. */
export const CLIENTS: readonly ClientKind[] = Object.keys(READ) as ClientKind[];

/**
 * Returns the texts that a client looks up for a URL. If the client looks up nothing, `problem` gives the reason.
 *
 * @throws TypeError when `client` is not one of {@link CLIENTS}, or `url` is not a string.
 * @example
 * ```ts
 * import { readAs } from "@x/interop";
 *
 * readAs("firefox", "http://[::1]/x").texts; // → ["::1/x", "::1/"]
 * readAs("clamav", "http://evil.example:80/x").exact; // → "evil.example/80/x"
 * ```
 */
export function readAs(client: ClientKind, url: string, options: ReadOptions = {}): ClientTexts {
  if (!CLIENTS.includes(client)) throw typeError("client", `one of ${CLIENTS.join(", ")}`, client);
  if (typeof url !== "string") throw typeError("url", "a string", url);
  return READ[client](url, options);
}
