import { statSync } from "node:fs";
import { topLevelDomains } from "@x/canon/top-level-domains";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import type { Noun } from "../output/results.ts";

/** Matches the names of lists, tables and texts. Some of these extensions are top-level domains, too. */
const FILE_NAME =
  /\.(?:txt|text|csv|tsv|tab|list|lst|log|json|jsonl|ndjson|hosts|urls|domains|rpz|zone|conf|ya?ml|xml|html?|md|dat|bin|db|parquet|xlsx?|docx?|pdf|eml|tmp|bak|gz|zst|xz|bz2|zip|tar|tgz|7z)$/i;
const IPV4 = /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/;
const NAME = /^[^./:@?#\s][^/:@?#\s]*\.[^./:@?#\s]+(?=\.?(?::[0-9]*)?(?:[/?#]|$))/;

/** Whether an argument starts with a host under a known top-level domain, or with an IP address. */
async function startsWithHost(text: string): Promise<boolean> {
  const [host] = NAME.exec(text) ?? [""];
  if (host === "") return false;
  if (IPV4.test(host)) return true;
  // The Public Suffix List is loaded only here, because loading it takes a while.
  const { isPublicSuffix } = await import("@x/list-source/public-suffixes");
  return topLevelDomains(isPublicSuffix)(host.toLowerCase());
}

function isFile(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isDirectory();
  } catch {
    // The text cannot be a path, because it is too long or contains a NUL.
    return false;
  }
}

/** Whether an argument that names no file has the form of a file's name or path, and starts with no host. */
async function isMissingFile(text: string): Promise<boolean> {
  if (/[:@?#\s]|^localhost\//.test(text) || !FILE_NAME.test(text)) return false;
  return !(await startsWithHost(text));
}

/**
 * Refuses arguments that name files, because users who give the name of a file want its lines to be read. A bare host
 * such as `example.com` counts as a URL, and so does a path below a host, such as `example.com/a`, but with a
 * note. An argument such as `urls.txt`, which would be read as a host, is refused even if there is no such file.
 *
 * @param note writes a line for the user.
 * @throws {Failure} when an argument names a file, or seems to.
 */
export async function refuseFileArguments(
  args: readonly string[],
  noun: Noun,
  note: (line: string) => void,
): Promise<void> {
  for (const text of args) {
    if (text === "-" || /^[a-z][a-z0-9+.-]*:(?:\/\/|[^\\/])/i.test(text)) continue;
    const name = printable(/[^\w./-]/.test(text) ? `'${text}'` : text);
    if (!isFile(text)) {
      if (noun !== "URL" || !(await isMissingFile(text))) continue;
      throw new Failure(
        `${name} looks like a file, but there is none of this name: for a URL, write http:// in front`,
      );
    }
    const isUrl = noun !== "URN" && !FILE_NAME.test(text) && (await startsWithHost(text));
    if (isUrl && text.includes("/")) {
      note(`note: ${name} is also a file; to read its lines, use --file ${name}`);
    }
    if (isUrl) continue;
    const orUrl =
      noun === "URL" && !/^[./]/.test(text) ? "; for a URL, write http:// in front" : "";
    throw new Failure(`${name} is a file: to read its lines, use --file ${name}${orUrl}`);
  }
}
