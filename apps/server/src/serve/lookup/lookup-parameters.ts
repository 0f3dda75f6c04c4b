import type { Answering, Caller } from "../answering.ts";
import { searchableLists } from "../api-keys.ts";
import { HttpProblem } from "../http/reply.ts";
import type { RequestHead } from "../http/request.ts";
import { noLists, type ServedList } from "../lists/served-lists.ts";
import { isListOfSafeSites } from "../lists/threat-rows.ts";

/**
 * The parameters of every lookup. Other parameters are refused, because they may be the end of a URL whose "&" was not
 * escaped.
 */
export interface LookupParameters extends Caller {
  /** The names of the lists to search; `null` for all. */
  readonly names: readonly string[] | null;
  /** The values of the parameter `url`, as strings with one code unit for each byte. */
  readonly urls: readonly string[];
  /** Whether to look up the URLs inside each URL, too. */
  readonly unwrap: boolean;
  /** Whether to say how URLs on no list are built to mislead people. */
  readonly disguises: boolean;
}

/** The percent-encoding of a byte that is not ASCII. */
const ESCAPE = /%([89a-f][0-9a-f])/gi;

/**
 * Escapes a byte as Latin-1. Otherwise, bytes that are not UTF-8 would be replaced, and a different URL would be looked
 * up.
 */
const escapeAsLatin1 = (_: string, digits: string) =>
  encodeURIComponent(String.fromCharCode(Number.parseInt(digits, 16)));

/** The parameters of every lookup. */
const KNOWN: ReadonlySet<string> = new Set(["key", "lists", "unwrap", "disguises"]);

/** Reads the parameters of a request. `hasUrl` says whether `url` is allowed. */
export function readParameters(
  head: Pick<RequestHead, "query" | "headers" | "network">,
  hasUrl: boolean,
): LookupParameters {
  const { query } = head;
  // `search` takes less time than a `replace` that finds nothing.
  const inUtf8 = query.search(ESCAPE) < 0 ? query : query.replace(ESCAPE, escapeAsLatin1);
  const parameters = new URLSearchParams(inUtf8);
  for (const name of parameters.keys()) {
    if (KNOWN.has(name) || (hasUrl && name === "url")) continue;
    throw new HttpProblem(
      400,
      hasUrl
        ? "The query has an unknown parameter: escape the URL, for example with encodeURIComponent."
        : "The query has an unknown parameter.",
    );
  }
  const names = parameters.getAll("lists").flatMap((value) => value.split(","));
  return {
    key: parameters.get("key") ?? head.headers.get("x-goog-api-key"),
    network: () => head.network(),
    names: parameters.has("lists") ? names : null,
    urls: parameters.getAll("url"),
    unwrap: isTrue(parameters, "unwrap"),
    disguises: isTrue(parameters, "disguises"),
  };
}

/** Reads a parameter that is true or false. @throws {HttpProblem} if it is anything else. */
function isTrue(parameters: URLSearchParams, name: string): boolean {
  const [value = "false", ...others] = parameters.getAll(name);
  if (others.length > 0 || !/^(?:true|false)$/.test(value)) {
    throw new HttpProblem(400, `The ${name} parameter must be true or false.`);
  }
  return value === "true";
}

/**
 * The lists that a lookup searches. Nothing is left out silently: a wrong name, the name of a list that the key does
 * not open, and a key that opens no list are errors. Lists of safe sites are not searched, because their entries would
 * count as listed.
 */
export function listsToSearch(
  answering: Answering,
  { key, names }: LookupParameters,
): readonly ServedList[] {
  const { keys, lists } = answering;
  if (key !== null && ![...keys.lists].some((name) => keys.opens(key, name))) {
    throw new HttpProblem(400, "The API key opens no list of this server.");
  }
  const open = searchableLists(answering, key);
  if (names !== null) {
    const found = names.map((name) => open.find((list) => list.name === name));
    if (!found.every((list) => list !== undefined)) {
      throw new HttpProblem(
        400,
        "The lists parameter names a list that this server does not have.",
      );
    }
    if (found.some(({ row }) => isListOfSafeSites(row))) {
      throw new HttpProblem(400, "The lists parameter names a list of safe sites.");
    }
    return [...new Set(found)];
  }
  const threats = open.filter(({ row }) => !isListOfSafeSites(row));
  if (threats.length > 0) return threats;
  if (open.length > 0) throw new HttpProblem(400, "All lists of this server are of safe sites.");
  throw lists.all().length === 0
    ? noLists()
    : new HttpProblem(400, "Every list of this server needs an API key.");
}

export function contentType({ headers }: RequestHead): string {
  return (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/** Throws unless the body is unencoded UTF-8. Anything else would be read as different URLs. */
export function checkEncoding({ headers }: RequestHead): void {
  const coding = headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity") {
    throw new HttpProblem(415, "Send the body without a Content-Encoding.");
  }
  const [, charset = "utf-8"] =
    /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers.get("content-type") ?? "") ?? [];
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new HttpProblem(415, "Send the body in UTF-8.");
}
