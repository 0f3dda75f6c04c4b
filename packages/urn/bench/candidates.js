import { equivalentUrns, tryParseUrn } from "@x/urn";
import fastUri from "fast-uri";
import * as uriJs from "uri-js";
import URI from "urijs";
import urnLib from "urn-lib";
import { parseURN } from "urns";

/** RFC 2141 §2 as a regular expression, its classes merged by hand. */
const MERGED_2141 =
  /^urn:(?!urn:)([a-z0-9][a-z0-9-]{0,31}):((?:[a-z0-9()+,.:=@;$_!*'/?#-]|%(?!00)[0-9a-f]{2})+)$/i;

/** RFC 2141 §2, production by production: `<trans> ::= <upper> | <lower> | <number> | <other> | <reserved>`. */
const LITERAL_2141 =
  /^urn:(?!urn:)((?:[a-z]|[0-9])(?:[a-z]|[0-9]|-){0,31}):((?:[a-z]|[0-9]|[()+,.:=@;$_!*'-]|[/?#]|%(?!00)(?:[0-9]|[a-f]){2})+)$/i;

/** RFC 8141 §2 as a regular expression, its classes merged by hand. */
const MERGED_8141 =
  /^urn:([a-z0-9][a-z0-9-]{0,30}[a-z0-9]):((?:[a-z0-9._~!$&'()*+,;=:@-]|%[0-9a-f]{2})(?:[a-z0-9._~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*)(?:\?\+((?:[a-z0-9._~!$&'()*+,;=:@-]|%[0-9a-f]{2})(?:[a-z0-9._~!$&'()*+,;=:@/-]|\?(?!=)|%[0-9a-f]{2})*))?(?:\?=((?:[a-z0-9._~!$&'()*+,;=:@-]|%[0-9a-f]{2})(?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*))?(?:#((?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*))?$/i;

/** RFC 8141 §2, production by production: `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"`. */
const PCHAR = "(?:[a-z]|[0-9]|[._~-]|%[0-9a-f]{2}|[!$&'()*+,;=]|:|@)";
const LITERAL_8141 = new RegExp(
  `^urn:((?:[a-z]|[0-9])(?:[a-z]|[0-9]|-){0,30}(?:[a-z]|[0-9])):(${PCHAR}(?:${PCHAR}|/)*)` +
    `(?:\\?\\+(${PCHAR}(?:${PCHAR}|/|\\?(?!=))*))?(?:\\?=(${PCHAR}(?:${PCHAR}|/|\\?)*))?` +
    `(?:#((?:${PCHAR}|/|\\?)*))?$`,
  "i",
);

function attempt(run) {
  try {
    return run();
  } catch {
    return null;
  }
}

function byRegularExpression(expression) {
  return (text) => {
    const match = expression.exec(text);
    return match === null
      ? null
      : {
          nid: match[1],
          nss: match[2],
          rComponent: match[3] ?? null,
          qComponent: match[4] ?? null,
          fComponent: match[5] ?? null,
        };
  };
}

const upperCaseEscapes = (text) => text.replace(/%[0-9a-f]{2}/gi, (digits) => digits.toUpperCase());

/** Applies the rules of equivalence, for packages that only parse. */
function equalByParsing(parse) {
  return (a, b) => {
    const urnA = parse(a);
    const urnB = parse(b);
    return (
      urnA !== null &&
      urnB !== null &&
      urnA.nid.toLowerCase() === urnB.nid.toLowerCase() &&
      upperCaseEscapes(urnA.nss) === upperCaseEscapes(urnB.nss)
    );
  };
}

/** RFC 2141 has no query and no fragment: both belong to the NSS. */
function uriToUrn2141(uri) {
  if (uri === null || uri.scheme !== "urn" || uri.error || !uri.nid || !uri.nss) return null;
  const query = uri.query === undefined ? "" : `?${uri.query}`;
  const fragment = uri.fragment === undefined ? "" : `#${uri.fragment}`;
  return {
    nid: uri.nid,
    nss: uri.nss + query + fragment,
    rComponent: null,
    qComponent: null,
    fComponent: null,
  };
}

/** Together, the r- and q-components of RFC 8141 are the query of a URI. */
function uriToUrn8141(uri) {
  if (uri === null || uri.scheme !== "urn" || uri.error || !uri.nid || !uri.nss) return null;
  const [, rComponent, qComponent] =
    /^(?:\+((?:(?!\?=).)*))?(?:\??=(.*))?$/s.exec(uri.query ?? "") ?? [];
  return {
    nid: uri.nid,
    nss: uri.nss,
    rComponent: rComponent ?? null,
    qComponent: qComponent ?? null,
    fComponent: uri.fragment ?? null,
  };
}

const parseWithUriJs = (text) => attempt(() => uriJs.parse(text));
const parseWithFastUri = (text) => attempt(() => fastUri.parse(text));

function parseWithUrns(text) {
  return attempt(() => {
    const urn = parseURN(text);
    return {
      nid: urn.nid,
      nss: urn.nss_encoded,
      rComponent: urn.rcomponent,
      qComponent: urn.qcomponent,
      fComponent: urn.fragment,
    };
  });
}

function parseWithUrnLib(text) {
  return attempt(() => {
    const urn = urnLib.RFC2141.parse(text);
    return urn === null || urnLib.RFC2141.validate(urn) !== null
      ? null
      : { nid: urn.nid, nss: urn.nss, rComponent: null, qComponent: null, fComponent: null };
  });
}

/** urijs has no URNs of its own: its manual calls any URI with a path and no `//` a URN. */
function parseWithUrijs(text) {
  return attempt(() => {
    const uri = new URI(text);
    const path = uri.pathname();
    const colon = path.indexOf(":");
    return {
      scheme: uri.protocol().toLowerCase(),
      nid: path.slice(0, Math.max(0, colon)),
      nss: path.slice(colon + 1),
      query: uri.search() === "" ? undefined : uri.search().slice(1),
      fragment: uri.hash() === "" ? undefined : uri.hash().slice(1),
    };
  });
}

/** One regular expression for the grammar of each RFC. */
function regularExpression(name, expression2141, expression8141) {
  const parse = byRegularExpression(expression2141);
  return {
    name,
    validates: true,
    parse,
    parse8141: byRegularExpression(expression8141),
    equal: equalByParsing(parse),
  };
}

/**
 * The candidates. `parse` returns the parts of a URN or `null`, `validates` says whether it is meant to
 * refuse other texts, and `equal` says whether two texts are equivalent URNs.
 */
export const candidates = [
  {
    name: "@x/urn",
    validates: true,
    parse: (text) => tryParseUrn(text),
    parse8141: (text) => tryParseUrn(text, { syntax: "rfc8141" }),
    equal: (a, b) => attempt(() => equivalentUrns(a, b)) ?? false,
  },
  regularExpression("RFC's grammar as a regular expression", LITERAL_2141, LITERAL_8141),
  regularExpression("the same, classes merged by hand", MERGED_2141, MERGED_8141),
  {
    name: "urns",
    validates: true,
    parse: parseWithUrns,
    parse8141: parseWithUrns,
    equal: equalByParsing(parseWithUrns),
  },
  {
    name: "urn-lib",
    validates: true,
    parse: parseWithUrnLib,
    parse8141: parseWithUrnLib,
    equal: equalByParsing(parseWithUrnLib),
  },
  {
    name: "uri-js",
    validates: false,
    parse: (text) => uriToUrn2141(parseWithUriJs(text)),
    parse8141: (text) => uriToUrn8141(parseWithUriJs(text)),
    equal: (a, b) => attempt(() => uriJs.equal(a, b)) ?? false,
  },
  {
    name: "fast-uri",
    validates: false,
    parse: (text) => uriToUrn2141(parseWithFastUri(text)),
    parse8141: (text) => uriToUrn8141(parseWithFastUri(text)),
    equal: (a, b) => attempt(() => fastUri.equal(a, b)) ?? false,
  },
  {
    name: "urijs",
    validates: false,
    parse: (text) => uriToUrn2141(parseWithUrijs(text)),
    parse8141: (text) => uriToUrn8141(parseWithUrijs(text)),
    equal: (a, b) => attempt(() => new URI(a).equals(b)) ?? false,
  },
];
