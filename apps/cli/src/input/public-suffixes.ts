import { readFile } from "node:fs/promises";
import { printable } from "@x/explain/printable";
import { Failure, reasonOf } from "../failure.ts";

/** Whether a host is a public suffix by the rules of the Public Suffix List (https://publicsuffix.org/list/). */
export function publicSuffixes(rules: string): (host: string) => boolean {
  const [exact, wildcards, exceptions] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const line of rules.split("\n")) {
    const rule = line.trim().split(/\s/, 1)[0]!.toLowerCase();
    if (rule === "" || rule.startsWith("//")) continue;
    if (rule.startsWith("!")) exceptions.add(toAscii(rule.slice(1)));
    else if (rule.startsWith("*.")) wildcards.add(toAscii(rule.slice(2)));
    else exact.add(toAscii(rule));
  }
  return (host) => {
    if (exceptions.has(host)) return false;
    return exact.has(host) || wildcards.has(host.slice(host.indexOf(".") + 1));
  };
}

/** The rules have Unicode, and canonical hosts have Punycode. */
function toAscii(host: string): string {
  const url = `http://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname : host;
}

/** @throws {Failure} when the file cannot be read. */
export async function readPublicSuffixes(file: string): Promise<(host: string) => boolean> {
  try {
    return publicSuffixes(await readFile(file, "utf8"));
  } catch (error) {
    throw new Failure(`cannot read ${printable(file)}: ${reasonOf(error)}`);
  }
}
