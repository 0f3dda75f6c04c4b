import type { Io } from "../context.ts";
import { Failure } from "../failure.ts";
import { nameOf, readPieces } from "./read-file.ts";

/** The Public Suffix List has 0.3 MB. */
const MAX_BYTES = 16 * 2 ** 20;
/** Labels of letters, digits and hyphens in any alphabet; `*` stands for one label. */
const RULE = /^(?:!|\*\.)?[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u;

/**
 * Whether a host is a public suffix by the rules of the Public Suffix List (https://publicsuffix.org/list/).
 *
 * @throws {Failure} when a line is not a rule, or there are no rules.
 */
export function publicSuffixes(rules: string, name: string): (host: string) => boolean {
  const [exact, wildcards, exceptions] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const [i, line] of rules.split("\n").entries()) {
    const rule = line.trim().split(/\s/, 1)[0]!.toLowerCase();
    if (rule === "" || rule.startsWith("//")) continue;
    if (!RULE.test(rule))
      throw new Failure(`${name} line ${i + 1} is not a rule of the Public Suffix List`);
    if (rule.startsWith("!")) exceptions.add(toAscii(rule.slice(1)));
    else if (rule.startsWith("*.")) wildcards.add(toAscii(rule.slice(2)));
    else exact.add(toAscii(rule));
  }
  if (exact.size === 0) throw new Failure(`${name} holds no rules of the Public Suffix List`);
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

/** @throws {Failure} when the file cannot be read, or is not the Public Suffix List. */
export async function readPublicSuffixes(
  file: string,
  io: Pick<Io, "stdin">,
): Promise<(host: string) => boolean> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of readPieces(file, io)) {
    bytes += piece.length;
    if (bytes > MAX_BYTES)
      throw new Failure(`${nameOf(file)} is too large for the Public Suffix List`);
    pieces.push(piece);
  }
  return publicSuffixes(Buffer.concat(pieces).toString(), nameOf(file));
}
