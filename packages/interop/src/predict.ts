import { type Client, type ClientOptions, readAs } from "./clients.ts";

/**
 * Whether a client blocks a URL, given a function that says whether a text is published: as an entry or as a variant
 * of one.
 *
 * @throws TypeError when `client` is not one of `CLIENTS`, or `url` is not a string.
 * @example
 * ```ts
 * import { willBlock } from "@x/interop";
 *
 * const published = new Set(["evil.example/%C3%A9"]);
 * const isPublished = (text: string) => published.has(text);
 * willBlock("firefox", "http://evil.example/é", isPublished); // → true
 * willBlock("google-go", "http://evil.example/é", isPublished); // → false
 * ```
 */
export function willBlock(
  client: Client,
  url: string,
  isPublished: (text: string) => boolean,
  options: ClientOptions = {},
): boolean {
  return readAs(client, url, options).texts.some(isPublished);
}
