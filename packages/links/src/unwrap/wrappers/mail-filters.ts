import { decodeBase64, decodePercents } from "../decode.ts";
import { parameters, writtenParameters } from "../link-parts.ts";
import type { Wrapper } from "./wrapper.ts";

/** In old emails, `&` in links was escaped as `&amp;` before the links were wrapped. */
const withoutEntities = (url: string) => url.replaceAll("&amp;", "&");

const PROOFPOINT_SITES = ["urldefense.proofpoint", "urldefense"];
const PROOFPOINT = /^(?:[a-z0-9-]+\.)?urldefense\.(?:proofpoint\.com|com|us)$/;

/** Mail filters that rewrite links, so that they can check a site again when someone opens it. */
export const MAIL_FILTERS: readonly Wrapper[] = [
  {
    // Microsoft, "Safe Links in Microsoft Defender for Office 365":
    // https://REGION.safelinks.protection.outlook.com/?url=URL&data=…&sdata=…
    name: "Outlook SafeLinks",
    sites: ["protection.outlook", "protection.office365"],
    host: /(?:^|\.)safelinks\.protection\.(?:outlook\.com|office365\.us)$/,
    path: /^\//,
    mark: "?",
    open: ({ query }) => parameters(query, ["url"]),
  },
  {
    // Safe Links in Teams: https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=URL
    name: "Outlook SafeLinks",
    sites: ["cdn.office", "cdn.live"],
    host: /^statics\.teams\.cdn\.(?:office\.net|live\.net)$/,
    path: /^\/evergreen-assets\/safelinks\//,
    mark: "?",
    open: ({ query }) => parameters(query, ["url"]),
  },
  {
    // Proofpoint, "How do I decode a rewritten URL?", and its program urldecoder.py: /v1/url?u=URL&k=…
    name: "Proofpoint v1",
    sites: PROOFPOINT_SITES,
    host: PROOFPOINT,
    path: /^\/v1\/url$/i,
    mark: "?",
    open: ({ query }) => parameters(query, ["u"]).map(withoutEntities),
  },
  {
    // /v2/url?u=URL&d=…, in which "-" stands for "%" and "_" for "/".
    name: "Proofpoint v2",
    sites: PROOFPOINT_SITES,
    host: PROOFPOINT,
    path: /^\/v2\/url$/i,
    mark: "?",
    open: ({ query }) =>
      writtenParameters(query, ["u"]).map(decodeProofpoint2).map(withoutEntities),
  },
  {
    // /v3/__URL__;REPLACED!!…!…$
    name: "Proofpoint v3",
    sites: PROOFPOINT_SITES,
    host: PROOFPOINT,
    path: /^\/v3\/__/i,
    mark: "__",
    open: ({ rest }) => [decodeProofpoint3(rest)],
  },
  {
    // Barracuda, "Link Protection": https://linkprotect.cudasvc.com/url?a=URL&c=E,1,…
    name: "Barracuda",
    sites: ["cudasvc"],
    host: /^linkprotect\.cudasvc\.com$/,
    path: /^\/url$/,
    mark: "?",
    open: ({ query }) => parameters(query, ["a"]),
  },
  {
    // Cisco, "Secure Email, URL rewriting": https://secure-web.cisco.com/TOKEN/URL
    name: "Cisco",
    sites: ["secure-web.cisco"],
    host: /^secure-web\.cisco\.com$/,
    path: /^\/[^/]/,
    mark: "",
    open: ({ path }) => [decodePercents(path.slice(path.indexOf("/", 1) + 1))],
  },
  {
    // Trend Micro, "Time-of-Click Protection":
    // https://PRODUCT-ctp.trendmicro.com/wis/clicktime/v1/query?url=URL&umid=…&auth=…
    name: "Trend Micro",
    sites: ["trendmicro"],
    host: /\.trendmicro\.com$/,
    path: /^\/wis\/clicktime\/v\d+\/query$/,
    mark: "?",
    open: ({ query }) => parameters(query, ["url"]),
  },
  {
    // Symantec, "Click-time URL Protection": https://clicktime.symantec.com/ID?h=…&u=URL
    name: "Symantec",
    sites: ["clicktime.symantec"],
    host: /^clicktime\.symantec\.com$/,
    path: /^\/[^/]/,
    mark: "?",
    open: ({ query }) => parameters(query, ["u"]),
  },
  {
    // FireEye (now Trellix) Email Security: https://protect2.fireeye.com/v1/url?k=…&q=1&e=…&u=URL, formerly without
    // /v1.
    name: "FireEye",
    sites: ["fireeye"],
    host: /^protect\d*\.fireeye\.com$/,
    path: /^\/(?:v\d+\/)?url$/,
    mark: "?",
    open: ({ query }) => parameters(query, ["u"]),
  },
  {
    // Sophos, "Time of Click": https://REGION.protection.sophos.com/?d=HOST&u=BASE64&…
    name: "Sophos",
    sites: ["protection.sophos"],
    host: /(?:^|\.)protection\.sophos\.com$/,
    path: /^\//,
    mark: "?",
    open: ({ query }) => parameters(query, ["u"]).map((value) => decodeBase64(value) ?? ""),
  },
  {
    // Mimecast, "URL Protect": https://protect-REGION.mimecast.com/s/ID?domain=HOST. The URL itself stays with
    // Mimecast.
    name: "Mimecast",
    sites: ["mimecast", "mimecastprotect"],
    host: /^(?:protect|url)(?:[.-][a-z0-9-]+)*\.mimecast(?:protect)?\.com$/,
    path: /^\/(?:s|r)\//,
    mark: "?",
    open: ({ query }) => parameters(query, ["domain"]).map((host) => ({ url: host, isHint: true })),
  },
  {
    // Check Point, "Click-Time Protection – Replaced URL Domain Change":
    // https://protect.checkpoint.com/v2/___URL___.TOKEN, and the same at Avanan, which belongs to Check Point. With a
    // region, as in /v2/r01/, "*" may stand for "%".
    name: "Check Point",
    sites: ["protect.checkpoint", "avanan"],
    host: /^(?:protect\.checkpoint\.com|url\.avanan\.click)$/,
    path: /^\/v\d+\/(?:[^/]+\/)?___/,
    mark: "___",
    open({ rest }) {
      const url = betweenUnderscores(rest);
      if (rest.startsWith("___", rest.indexOf("/", 1) + 1)) return [url];
      return [url, url.replace(/(?:\*[0-9a-f]{2})+/gi, withPercents)];
    },
  },
  {
    // The older form of Click-Time Protection: https://checkpoint.url-protection.com/v1/url?o=URL&g=…&h=…; also at
    // Avanan and SonicWall
    name: "Check Point",
    sites: ["url-protection"],
    host: /\.url-protection\.com$/,
    path: /^\/v1\/(?:[^/]+\/)?url$/,
    mark: "?",
    open: ({ query }) => parameters(query, ["o"]),
  },
  {
    // INKY: https://shared.outlook.inky.com/link?domain=HOST&t=TOKEN. The URL itself is in the token.
    name: "INKY",
    sites: ["outlook.inky"],
    host: /^[a-z0-9-]+\.outlook\.inky\.com$/,
    path: /^\/link$/,
    mark: "?",
    open: ({ query }) => parameters(query, ["domain"]).map((host) => ({ url: host, isHint: true })),
  },
];

const withPercents = (escapes: string) => decodePercents(escapes.replaceAll("*", "%"));

/** The text between the first `___` and the last `___.`, or up to the end if the end of the link was lost. */
function betweenUnderscores(text: string): string {
  const start = text.indexOf("___") + 3;
  const end = text.lastIndexOf("___.");
  return text.slice(start, end < start ? text.length : end);
}

/** Decodes the parameter `u` of a version 2 URL. */
function decodeProofpoint2(written: string): string {
  return decodePercents(written.replaceAll("-", "%").replaceAll("_", "/"));
}

const START = "/v3/__";
const LENGTHS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** The length that the first character of {@link LENGTHS} stands for. */
const SHORTEST = 2;

/**
 * Decodes everything after the host of a version 3 URL. In the URL inside, `*` stands for one replaced character, and
 * `**` for several, whose number the next character encodes. The replaced characters follow in base64url.
 *
 * If the end of the link was lost, the rest is decoded.
 */
function decodeProofpoint3(rest: string): string {
  const end = rest.indexOf("__;", START.length);
  const written = end < 0 ? rest.slice(START.length) : rest.slice(START.length, end);
  const characters = end < 0 ? [] : [...(decodeBase64(rest.slice(end + 3)) ?? "")];
  let next = 0;
  return written.replace(/\*(?:\*([\w-]))?/g, (asterisks: string, length?: string) => {
    const count = length === undefined ? 1 : LENGTHS.indexOf(length) + SHORTEST;
    const replaced = characters.slice(next, next + count).join("");
    next += count;
    return replaced === "" ? asterisks : replaced;
  });
}
