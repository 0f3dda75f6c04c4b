import { durationValue, parseDuration } from "@x/command-line";
import { contactHref } from "@x/explain/about";
import * as v from "valibot";
import { type BlockedAnswer, parseBlockedAnswer } from "../../dns/answers.ts";
import { parseResolver, type ResolverAddress } from "../../dns/channels.ts";
import { type Network, parseNetwork } from "../../dns/clients.ts";
import { parseSize } from "../../publish/fetch/size.ts";
import { parseRemovalLimit, type RemovalLimit } from "../../publish/removal-limits.ts";
import type { Address } from "../../serve/endpoints.ts";
import { parseLoggedRequests } from "../../serve/log.ts";

/*
 * The kinds of values in the settings file. The message of each schema says what is expected. Each kind has one form,
 * wherever it is used.
 */

/** A value that is written as text. `parse` returns `null` for text that is not valid. */
function parsed<Value>(
  expected: string,
  pattern: RegExp,
  parse: (text: string) => Value | null,
): v.GenericSchema<string, Value> {
  return v.pipe(
    v.string(expected),
    v.regex(pattern, expected),
    v.rawTransform<string, Value>(({ dataset, addIssue, NEVER }) => {
      const value = parse(dataset.value);
      if (value !== null) return value;
      addIssue({ message: expected });
      return NEVER;
    }),
  );
}

/** A duration, in milliseconds. Node timers cannot wait for more than 24 days. */
export function duration(least: string, most: string): v.GenericSchema<string, number> {
  const expected = `a duration from ${least} to ${most}, such as 90s, 5m, 12h or 7d`;
  return parsed(expected, /^[0-9]{1,6}(ms|[smhd])$/, (text) => {
    const milliseconds = parseDuration(text) ?? Number.NaN;
    const isInRange = milliseconds >= durationValue(least) && milliseconds <= durationValue(most);
    return isInRange ? milliseconds : null;
  });
}

export const anyDuration = duration("0s", "999999d");

/** A size, in bytes. */
export const size = parsed(
  "a size such as 500kB, 256MB or 1GB",
  /^[0-9]{1,6}(kB|MB|GB)$/,
  (text) => parseSize(text) || null,
);

const LIMIT = "a share such as 20%, or a number of entries";

/** How much may be removed from a list: a share of it, or a number of entries. */
export const removalLimit: v.GenericSchema<string | number, RemovalLimit> = v.union(
  [
    parsed(LIMIT, /^(100|[0-9]{1,2})%$/, parseRemovalLimit),
    v.pipe(
      v.number(LIMIT),
      v.integer(LIMIT),
      v.minValue(0, LIMIT),
      v.maxValue(999_999_999, LIMIT),
      v.transform((entries) => ({ entries })),
    ),
  ],
  LIMIT,
);

/** Parses an address to listen on, which is `HOST:PORT`, with an IPv6 address in brackets, or `unix:PATH`. */
function parseAddress(text: string): Address | null {
  const [, path] = /^unix:(?:\/\/(?=\/))?(.+)$/s.exec(text) ?? [];
  if (path !== undefined) return { kind: "unix", path };
  const [, ipv6, host = ipv6, number] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(number) > 65_535) return null;
  return { kind: "tcp", host, port: Number(number) };
}

export const address = parsed(
  'HOST:PORT such as 127.0.0.1:9090 or "[::1]:9090", or unix:PATH',
  /:/,
  parseAddress,
);

const NAME = "a name of up to 63 lower-case letters, digits and hyphens";

/** The name of a list, or of another server, which is the name of its folder, too. */
export const listName = v.pipe(v.string(NAME), v.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, NAME));

export const flag = v.boolean("true or false");

export const text = v.pipe(v.string("text"), v.nonEmpty("text"));

export function count(least: number, most: number): v.GenericSchema<number> {
  const expected = `a whole number from ${least} to ${most}`;
  return v.pipe(
    v.number(expected),
    v.integer(expected),
    v.minValue(least, expected),
    v.maxValue(most, expected),
  );
}

export function oneOf<const Value extends string>(
  values: readonly Value[],
): v.GenericSchema<Value> {
  return v.picklist(values, `one of ${values.join(", ")}`) as v.GenericSchema<Value>;
}

/** One value or several, such as `urls.txt` or `[a.txt, b.txt]`. */
export function several<Input, Output>(
  item: v.GenericSchema<Input, Output>,
  expected: string,
): v.GenericSchema<Input | Input[], readonly Output[]> {
  return v.union(
    [
      v.array(item, expected),
      v.pipe(
        item,
        v.transform((value) => [value]),
      ),
    ],
    expected,
  ) as v.GenericSchema<Input | Input[], readonly Output[]>;
}

const HOST = "a host such as feed.example";

export const hosts = several(
  parsed(HOST, /^[^/?#@:]+$|^\[[^\]]*\]$/, (host) => {
    const url = `http://${host}/`;
    return URL.canParse(url) ? new URL(url).hostname : null;
  }),
  "hosts, such as [feed.example, cdn.example]",
);

/** Origins as browsers send them, in lower case and without a slash at the end; `*` means all. */
export const origins = several(
  parsed('an origin such as https://app.example, or "*"', /^(\*|[a-z-]+:\/\/[^/]+)$/, (origin) =>
    origin === "*" || (URL.canParse(origin) && new URL(origin).origin === origin) ? origin : null,
  ),
  'origins such as [https://app.example], or "*"',
);

export const listNames = several(listName, "names of lists, such as [malware, intranet]");

/**
 * One line of text for people. Control characters are refused, because the text also goes into the settings and
 * messages of other programs.
 */
export const line = parsed("one line of up to 1000 characters", /^[^\p{Cc}]{1,1000}$/u, (given) =>
  given.trim() === "" ? null : given.trim(),
);

export const contact = parsed(
  "an email address or a URL, such as lists@example.com or https://example.com/contact",
  /[@:]/,
  (given) => (contactHref(given) === null ? null : given),
);

export const loggedRequests = parsed(
  "all, errors, none or a share such as 1%",
  /^(all|errors|none|[0-9.]{1,10}%)$/,
  parseLoggedRequests,
);

/** The prefix lengths in bytes with which lists are served. All clients support 4, and only those of v5 longer ones. */
export const prefixLengths = v.pipe(
  several(v.picklist([4, 8, 16, 32], "4, 8, 16 or 32"), "[4], or 4 and longer ones such as [4, 8]"),
  v.check((lengths) => lengths.includes(4), "[4], or 4 and longer ones such as [4, 8]"),
);

const RESOLVER = "an IP address of a resolver, such as 192.0.2.53 or [2001:db8::53]:5353";

export const resolvers: v.GenericSchema<string | string[], readonly ResolverAddress[]> = several(
  parsed(RESOLVER, /./, parseResolver),
  "resolvers, such as [192.0.2.53, 198.51.100.53]",
);

const NETWORK = "a network such as 192.168.0.0/16 or 2001:db8::/32";

export const networks: v.GenericSchema<string | string[], readonly Network[]> = several(
  parsed(NETWORK, /./, parseNetwork),
  "networks, such as [192.168.0.0/16, 2001:db8::/32]",
);

const BLOCKED_ANSWER = "nxdomain, zero, refused, or addresses such as [192.0.2.1, 2001:db8::1]";

/** The answer about a blocked name. */
export const blockedAnswer: v.GenericSchema<string | string[], BlockedAnswer> = v.pipe(
  several(
    parsed(BLOCKED_ANSWER, /./, (given) => given),
    BLOCKED_ANSWER,
  ),
  v.rawTransform<readonly string[], BlockedAnswer>(({ dataset, addIssue, NEVER }) => {
    const answer = parseBlockedAnswer(dataset.value);
    if (answer !== null) return answer;
    addIssue({ message: BLOCKED_ANSWER });
    return NEVER;
  }),
);
