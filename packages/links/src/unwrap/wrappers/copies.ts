import { decodePercents } from "../decode.ts";
import { type LinkParts, parameters } from "../link-parts.ts";
import type { Wrapper } from "./wrapper.ts";

/** The URL in an AMP path, in which `s/` before the host stands for https. */
function ampUrl({ rest }: LinkParts, start: RegExp): readonly string[] {
  const [found, isSecure] = start.exec(rest)!;
  const url = rest.slice(found.length);
  const end = url.search(/[/?#]/);
  const host = end < 0 ? url : url.slice(0, end);
  const scheme = isSecure === undefined ? "http" : "https";
  return [`${scheme}://${decodePercents(host)}${url.slice(host.length)}`];
}

const AMP = /^\/(?:amp|[a-z]{1,3}(?:\/[a-z]\d+)?)\/(s\/)?/;

/** The URL after the part of a path that `start` matches. */
const after =
  (start: RegExp) =>
  ({ rest }: LinkParts): readonly string[] => [rest.slice(start.exec(rest)![0].length)];

/** Services that show a copy of a page. */
export const COPIES: readonly Wrapper[] = [
  {
    // amp.dev, "AMP Cache URL format": https://PREFIX.cdn.ampproject.org/c/s/HOST/PATH
    name: "AMP cache",
    sites: ["ampproject", "bing-amp"],
    host: /(?:^|\.)(?:cdn\.ampproject\.org|bing-amp\.com)$/,
    path: AMP,
    mark: "",
    open: (parts) => ampUrl(parts, AMP),
  },
  {
    // https://www.google.com/amp/s/HOST/PATH, and the same at Bing
    name: "AMP cache",
    sites: ["google", "bing"],
    host: /^(?:www\.)?(?:google\.(?:com?\.)?[a-z]{2,3}|bing\.com)$/,
    path: /^\/amp\/./,
    mark: "/amp/",
    open: (parts) => ampUrl(parts, AMP),
  },
  {
    // Google Search Central, "Enabling your ad network for translation features": https://PREFIX.translate.goog/PATH
    name: "Google Translate",
    sites: ["translate"],
    host: /\.translate\.goog$/,
    path: /^\//,
    mark: "",
    open: (parts) => [translatedUrl(parts)],
  },
  {
    // https://translate.google.com/translate?sl=…&tl=…&u=URL
    name: "Google Translate",
    sites: ["google"],
    host: /^(?:translate|www)\.google\.(?:com?\.)?[a-z]{2,3}$/,
    path: /^\/(?:translate|website)(?:_c|_p)?$/,
    mark: "?",
    open: ({ query }) => parameters(query, ["u"]),
  },
  {
    // Internet Archive, "Wayback Machine APIs": https://web.archive.org/web/TIMESTAMP/URL, with letters such as "id_"
    // after the timestamp
    name: "Web archive",
    sites: ["archive"],
    host: /^(?:web|wayback|www)\.archive\.org$|^archive\.org$/,
    path: /^\/(?:web|save)\/./,
    mark: "",
    open: after(/^\/(?:web|save)\/(?:(?:\d+\*?|\*|\d+[a-z]{2}_|_embed|[a-z]{2}_)\/)?/),
  },
  {
    // pywb, which other web archives run: /COLLECTION/TIMESTAMP/URL
    name: "Web archive",
    sites: ["arquivo", "archive-it", "webarchive", "nationalarchives"],
    host: /^(?:arquivo\.pt|wayback\.archive-it\.org|(?:www\.)?webarchive\.(?:org\.uk|nationalarchives\.gov\.uk))$/,
    path: /\/\d{14}(?:[a-z]{2}_)?\/./,
    mark: "",
    open: after(/^.*?\/\d{14}(?:[a-z]{2}_)?\//),
  },
  {
    // archive.today, "FAQ": https://archive.today/newest/URL, /TIMESTAMP/URL, /o/ID/URL
    name: "Web archive",
    sites: ["archive"],
    host: /^archive\.(?:today|ph|is|li|vn|fo|md)$/,
    path: /^\/(?:[^/]+\/){0,2}?https?:/,
    mark: "",
    open: after(/^\/(?:[^/]+\/){0,2}?(?=https?:)/),
  },
  {
    // https://webcache.googleusercontent.com/search?q=cache:ID:URL+WORDS
    name: "Google cache",
    sites: ["webcache.googleusercontent"],
    host: /^webcache\.googleusercontent\.com$/,
    path: /^\/search$/,
    mark: "?",
    open: ({ query }) =>
      parameters(query, ["q"]).map((value) =>
        value.replace(/^cache:(?:[\w-]{12}:)?/, "").replace(/ .*$/s, ""),
      ),
  },
];

/** The parameters that `translate.goog` adds to the query of a page. */
const ADDED = /^_x_tr_/;

/** @see Google Search Central, "Convert a Google Translate URL into the original URL" */
function translatedUrl({ host, path, query }: LinkParts): string {
  const encodings = parameters(query, ["_x_tr_enc"]).flatMap((value) => value.split(","));
  let name = (parameters(query, ["_x_tr_hp"])[0] ?? "") + host.slice(0, -".translate.goog".length);
  if (encodings.includes("1") && name.startsWith("1-")) name = name.slice(2);
  const isIdn = encodings.includes("0") && name.startsWith("0-");
  if (isIdn) name = name.slice(2);
  name = name.replace(/\b-\b/g, ".").replaceAll("--", "-");
  const own = query.split("&").filter((parameter) => parameter !== "" && !ADDED.test(parameter));
  const scheme = parameters(query, ["_x_tr_sch"])[0] === "http" ? "http" : "https";
  const search = own.length === 0 ? "" : `?${own.join("&")}`;
  return `${scheme}://${isIdn ? "xn--" : ""}${name}${path}${search}`;
}
