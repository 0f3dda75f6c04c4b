import { writeFileSync } from "node:fs";
import { urlhashServer } from "./url-list-server.js";

/** Makes an API key for lists, and the file for `serve --keys` that makes them private. */
export async function apiKey(file, ...lists) {
  const printed = await urlhashServer("key", ...lists);
  const [key, line] = [...printed.matchAll(/^ {2}(\S.*)$/gm)].map(([, text]) => text);
  writeFileSync(file, `${line}\n`);
  return key;
}
