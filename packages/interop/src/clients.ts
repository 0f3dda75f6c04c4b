import { typeError } from "@x/canon/type-error";
import type { ExpressionOptions } from "@x/expressions";
import { readAsChromium } from "./clients/chromium.ts";
import { readAsClamav } from "./clients/clamav.ts";
import { readAsDns } from "./clients/dns.ts";
import { readAsFirefox } from "./clients/firefox.ts";
import { readAsGoogleGo, readAsGoogleWebRisk } from "./clients/google-go.ts";
import type { Reading } from "./clients/reading.ts";
import {
  readAsBrowser,
  readAsSpecification,
  readAsSpecificationV5,
  readBothWays,
} from "./clients/specification.ts";

/** A kind of client: all programs that look up the same texts for a URL. */
export type Client =
  | "specification"
  | "specification-v5"
  | "browser-reading"
  | "both-readings"
  | "firefox"
  | "chromium"
  | "google-go"
  | "google-webrisk"
  | "clamav"
  | "dns";

/** Options of clients that follow the rules of Safe Browsing v5. */
export type ClientOptions = ExpressionOptions;

interface Facts {
  readonly title: string;
  readonly read: (url: string, options: ClientOptions) => Reading;
}

const FACTS: Readonly<Record<Client, Facts>> = {
  specification: {
    title: "a client with the rules of Web Risk and Safe Browsing v4",
    read: readAsSpecification,
  },
  "specification-v5": {
    title: "a client with the rules of Safe Browsing v5",
    read: readAsSpecificationV5,
  },
  "browser-reading": {
    title: "the same rules after the URL parser of browsers",
    read: readAsBrowser,
  },
  "both-readings": {
    title: "urlhash, its Squid helper, /lookup and other requests with whole URLs",
    read: readBothWays,
  },
  firefox: { title: "Firefox, over v5 and v4", read: readAsFirefox },
  chromium: { title: "Chromium, over v4 and v5", read: readAsChromium },
  "google-go": { title: "Google's Go client for Safe Browsing", read: readAsGoogleGo },
  "google-webrisk": { title: "Google's Go client for Web Risk", read: readAsGoogleWebRisk },
  clamav: { title: "ClamAV, with a .gdb file", read: readAsClamav },
  dns: { title: "a resolver with a response policy zone", read: readAsDns },
};

/** All clients, in the order of reports. */
export const CLIENTS: readonly Client[] = Object.keys(FACTS) as Client[];

/** What a client is, in words for tables. */
export function clientTitle(client: Client): string {
  return factsOf(client).title;
}

/**
 * The texts whose hashes a client looks up for a URL. `problem` says why it looks up none.
 *
 * @throws TypeError when `client` is not one of {@link CLIENTS}, or `url` is not a string.
 * @example
 * ```ts
 * import { readAs } from "@x/interop";
 *
 * readAs("firefox", "http://[::1]/x").texts; // → ["::1/x", "::1/"]
 * readAs("clamav", "http://evil.example:80/x").exact; // → "evil.example/80/x"
 * readAs("dns", "http://192.0.2.1/").problem; // → "address"
 * ```
 */
export function readAs(client: Client, url: string, options: ClientOptions = {}): Reading {
  const { read } = factsOf(client);
  if (typeof url !== "string") throw typeError("url", "a string", url);
  return read(url, options);
}

function factsOf(client: Client): Facts {
  if (!Object.hasOwn(FACTS, client)) {
    throw typeError("client", `one of ${CLIENTS.join(", ")}`, client);
  }
  return FACTS[client];
}
