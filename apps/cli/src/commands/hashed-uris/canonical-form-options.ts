import { Failure } from "@x/command-line";
import { printable, printableInShort } from "@x/explain/printable";
import { type HashedUriError, type HashUriOptions, hashUri } from "@x/hashed-uri";
import { hasName } from "@x/sha256-prefix/has-name";
import { type Command, Option } from "commander";

/** The options for the canonical form of URIs, on which publishers and readers must agree. */
export interface CanonicalFormOptions {
  /** The default is `N`. When URIs are matched, the variant that the list names takes precedence over this default. */
  readonly variant?: "N" | "P" | undefined;
  readonly base?: string | undefined;
}

/** `--variant` and `--base`: the canonical form of URIs. */
export function addCanonicalFormOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--variant <variant>",
        "the variant of the canonical form: P treats more URIs as equal than N, the default",
      ).choices(["N", "P"]),
    )
    .option("--base <uri>", "the base for relative URIs");
}

/** @throws {Failure} when an option is wrong. Call this function before any input is read. */
export function checkHashing(options: HashUriOptions): void {
  try {
    hashUri("", { ...options, base: options.base ?? "http://a/" });
  } catch (error) {
    if (!hasName<HashedUriError>(error, "HashedUriError")) throw error;
    const { code, message, input } = error;
    throw new Failure(
      code === "algorithm-unknown"
        ? `--algorithm ${printable(input)}: expected sha1, md5 or x-sha256`
        : printable(message),
    );
  }
}

/** A name or an address and a port, perhaps with a path, which RFC 2396 reads as a scheme and an opaque part. */
const HOST_AND_PORT = /^([A-Za-z][A-Za-z0-9+.-]*):([0-9]{1,5})(?:[/?#]|$)/;
/** Schemes whose opaque part may be a short number. */
const WITH_NUMBERS =
  /^(?:callto|cid|doi|fax|gsm|info|isbn|issn|mid|modem|news|oid|pmid|sip|sips|skype|sms|tel|urn|whatsapp|x-.*)$/i;

/** Warns about a URI that was probably not meant as one; `null` for all others. */
export function warningOfUri(uri: string): string | null {
  if (/^hashed:/i.test(uri)) {
    return `${printableInShort(uri)} is already a hashed URI, and is hashed again like any other URI`;
  }
  const [, host, port] = HOST_AND_PORT.exec(uri) ?? [];
  if (host === undefined || WITH_NUMBERS.test(host) || Number(port) > 65_535) return null;
  const meant = `http://${printableInShort(uri)}`;
  return `${printableInShort(uri)} is read as a URI with the scheme "${printable(host)}": write ${meant} if a host and a port are meant`;
}
