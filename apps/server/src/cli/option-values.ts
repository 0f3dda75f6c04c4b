import { durationValue, expecting, wholeNumber } from "@x/command-line";
import { isWhere } from "@x/list-source";
import { isListName } from "@x/list-store";
import { InvalidArgumentError } from "commander";
import { parseSize } from "../publish/fetch/size.ts";
import { parseRemovalLimits } from "../publish/removal-limits.ts";
import type { Address } from "../serve/listen.ts";
import { LOG_LEVELS, parseLoggedRequests } from "../serve/log.ts";
import { isContact } from "../serve/pages/operator.ts";

function durationFrom(least: string, most: string): (text: string) => number {
  return expecting(`a duration from ${least} to ${most}`, (text) => {
    const milliseconds = durationValue(text);
    const isInRange = milliseconds >= durationValue(least) && milliseconds <= durationValue(most);
    return isInRange ? milliseconds : null;
  });
}

/**
 * A version with a lifetime below one minute would expire before clients have it. With a lifetime above one year, a
 * mirror could freeze the list.
 */
export const parseLifetime: (text: string) => number = durationFrom("1m", "365d");

/**
 * An interval between fetches or polls, or the time limit of a fetch. Values are limited, because Node timers cannot
 * wait for more than 24 days.
 */
export const parseInterval: (text: string) => number = durationFrom("1s", "7d");

export const parseMinInterval: (text: string) => number = durationFrom("0s", "7d");

export const parseByteSize = expecting(
  "a size such as 500kB, 256MB or 1GB",
  (text) => parseSize(text) || null,
);

export const parseHosts = expecting("hosts, separated by commas", (text) => {
  const names = text.split(",").map((host) => {
    const url = `http://${host}/`;
    const isHost = /^[^/?#@:]+$|^\[[^\]]*\]$/.test(host) && URL.canParse(url);
    return isHost ? new URL(url).hostname : null;
  });
  return names.every((name) => name !== null) ? new Set(names) : null;
});

/** Origins as browsers send them, in lower case and without a slash at the end; `*` means all. */
export const parseOrigins = expecting(
  "origins such as https://app.example, separated by commas, or *",
  (text) => {
    const origins = text.split(",").map((each) => each.trim());
    const isOrigin = (each: string) => URL.canParse(each) && new URL(each).origin === each;
    return text === "*" || origins.every(isOrigin) ? new Set(origins) : null;
  },
);

export const parseCount: (text: string) => number = wholeNumber(0, 999_999_999);

/** Adds a value of `--where`: a condition such as `verdict=malicious`, or `all`. */
export function parseWhere(text: string, before: readonly string[] = []): readonly string[] {
  if (!isWhere(text)) {
    throw new InvalidArgumentError('Expected a condition such as "verdict=malicious", or "all".');
  }
  return [...before, text];
}

/** Parses a `NAME=VALUE` argument of an option that may be given more than once. */
export function namedValue(
  text: string,
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError("Expected a name, an equals sign and a value.");
  }
  if (before.has(name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return new Map([...before, [name, value]]);
}

export const parsePort = wholeNumber(0, 65_535);

/** Parses an address to listen on, which is `HOST:PORT`, with an IPv6 address in brackets, or `unix:PATH`. */
export const parseAddress = expecting(
  "HOST:PORT such as 127.0.0.1:9090 or [::1]:9090, or unix:PATH",
  (text): Address | null => {
    const [, path] = /^unix:(?:\/\/(?=\/))?(.+)$/s.exec(text) ?? [];
    if (path !== undefined) return { kind: "unix", path };
    const [, ipv6, host = ipv6, number] =
      /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
    if (host === undefined || Number(number) > 65_535) return null;
    return { kind: "tcp", host, port: Number(number) };
  },
);

export const parseLogLevel = expecting(
  LOG_LEVELS.join(", "),
  (text) => LOG_LEVELS.find((level) => level === text) ?? null,
);

export const parseLogRequests = expecting(
  "all, errors, none or a share such as 1%",
  parseLoggedRequests,
);

export const parseListNames = expecting("names of lists, separated by commas", (text) => {
  const names = text.split(",");
  return names.every(isListName) ? new Set(names) : null;
});

/** Adds the list names in one value of an option that may be given more than once. */
export const parseMoreListNames = (text: string, before: ReadonlySet<string> = new Set()) =>
  new Set([...before, ...parseListNames(text)]);

/** The prefix length in bytes that all clients support, and the lengths that only v5 clients can request. */
const [PREFIX_BYTES, ...LONGER_PREFIX_BYTES] = [4, 8, 16, 32] as const;

export const parsePrefixLengths = expecting(
  "4, or 4 and longer ones (8, 16 or 32), such as 4,8",
  (text): readonly number[] | null => {
    const lengths = new Set(text.split(",").map((length) => (/^\d+$/.test(length) ? +length : 0)));
    const longer = LONGER_PREFIX_BYTES.filter((length) => lengths.delete(length));
    return lengths.delete(PREFIX_BYTES) && lengths.size === 0 ? [PREFIX_BYTES, ...longer] : null;
  },
);

export const parseMaxRemoved = expecting(
  "shares or numbers of entries, such as 20% or 20%,malware=5%,feed=300",
  parseRemovalLimits,
);

/**
 * One line of text for people. Control characters are refused, because the text also goes into the settings and
 * messages of other programs.
 */
export const parseLine = expecting("one line of up to 1000 characters", (text) =>
  text.trim() !== "" && text.length <= 1000 && !/\p{Cc}/u.test(text) ? text.trim() : null,
);

export const parseContact = expecting(
  "an email address or a URL, such as lists@example.com or https://example.com/contact",
  (text) => (isContact(text) ? text : null),
);
