import { decodeBase64, decodePercents } from "../decode.ts";
import { type LinkParts, parameters } from "../link-parts.ts";
import type { Wrapper } from "./wrapper.ts";

const inParameters =
  (...names: readonly string[]) =>
  ({ query }: LinkParts): readonly string[] =>
    parameters(query, names);

/** For links whose destination only the service knows. */
const nowhere = () => [];

/** Pages of large sites that redirect to other sites. The patterns match links that these sites create themselves. */
export const REDIRECTS: readonly Wrapper[] = [
  {
    // https://www.google.com/url?q=URL&sa=…, also with url=; /imgres?imgurl=URL&imgrefurl=URL; /aclk?adurl=URL;
    // https://meet.google.com/linkredirect?dest=URL
    name: "Google",
    sites: ["google"],
    host: /^(?:[a-z0-9-]+\.)*google\.(?:com?\.)?[a-z]{2,3}$/,
    path: /^\/(?:url|imgres|aclk|linkredirect)$/,
    mark: "?",
    open: inParameters("q", "url", "imgurl", "imgrefurl", "adurl", "dest"),
  },
  {
    // https://www.bing.com/ck/a?!&&p=…&u=a1BASE64&ntb=1
    name: "Bing",
    sites: ["bing"],
    host: /^(?:[a-z]+\.)?bing\.com$/,
    path: /^\/ck\/a$/,
    mark: "?",
    open: ({ query }) =>
      parameters(query, ["u"]).map((value) => decodeBase64(value.replace(/^a1/, "")) ?? ""),
  },
  {
    // https://www.bing.com/aclick?ld=…&u=BASE64, in which the URL is percent-encoded; /alink/link?url=URL
    name: "Bing",
    sites: ["bing"],
    host: /^(?:[a-z]+\.)?bing\.com$/,
    path: /^\/(?:aclick|aclk|alink\/link)$/,
    mark: "?",
    open: ({ query }) => [
      ...parameters(query, ["url"]),
      ...parameters(query, ["u"]).map((value) => decodePercents(decodeBase64(value) ?? "")),
    ],
  },
  {
    // https://r.search.yahoo.com/_ylt=…/RV=2/RE=…/RO=10/RU=URL/RK=2/RS=…
    name: "Yahoo",
    sites: ["search.yahoo"],
    host: /(?:^|\.)search\.yahoo\.(?:com|co\.jp)$/,
    path: /\/RU=/,
    mark: "/RU=",
    open: ({ path }) => [decodePercents(/\/RU=([^/]*)/.exec(path)![1]!)],
  },
  {
    // https://www.youtube.com/redirect?event=…&redir_token=…&q=URL
    name: "YouTube",
    sites: ["youtube"],
    host: /^(?:[a-z]+\.)?youtube\.com$/,
    path: /^\/redirect$/,
    mark: "?",
    open: inParameters("q", "url"),
  },
  {
    // https://l.facebook.com/l.php?u=URL&h=…; also in Messenger, and https://www.facebook.com/flx/warn/?u=URL
    name: "Facebook",
    sites: ["facebook", "messenger"],
    host: /^(?:[a-z-]+\.)?(?:facebook|messenger)\.com$/,
    path: /^\/(?:l\.php|flx\/warn\/?)$/,
    mark: "?",
    open: inParameters("u"),
  },
  {
    // https://l.instagram.com/?u=URL&e=…; also https://l.threads.com/
    name: "Instagram",
    sites: ["l.instagram", "l.threads"],
    host: /^l\.(?:instagram|threads)\.(?:com|net)$/,
    path: /^\//,
    mark: "?",
    open: inParameters("u"),
  },
  {
    // https://www.linkedin.com/safety/go?url=URL&trk=…; /redir/redirect?url=URL&urlhash=…
    name: "LinkedIn",
    sites: ["linkedin"],
    host: /^(?:[a-z-]+\.)?linkedin\.com$/,
    path: /^\/(?:safety\/go|redir\/[a-z-]+)\/?$/,
    mark: "?",
    open: inParameters("url"),
  },
  { name: "LinkedIn", sites: ["lnkd"], host: /^lnkd\.in$/, path: /^\/[^/]/, open: nowhere },
  {
    name: "LinkedIn",
    sites: ["linkedin"],
    host: /^(?:[a-z-]+\.)?linkedin\.com$/,
    path: /^\/slink\/?$/,
    open: nowhere,
  },
  {
    // https://twitter.com/i/redirect?url=URL&t=…; /safety/unsafe_link_warning?unsafe_link=URL
    name: "X",
    sites: ["twitter", "x"],
    host: /^(?:[a-z]+\.)?(?:twitter|x)\.com$/,
    path: /^\/(?:i\/redirect|safety\/unsafe_link_warning)$/,
    mark: "?",
    open: inParameters("url", "unsafe_link"),
  },
  // X replaces every link in a post with a link to t.co.
  { name: "X", sites: ["t"], host: /^t\.co$/, path: /^\/[^/]/, open: nowhere },
  {
    // https://slack-redir.net/link?url=URL
    name: "Slack",
    sites: ["slack-redir"],
    host: /^(?:[a-z]+\.)?slack-redir\.net$/,
    path: /^\/link$/,
    mark: "?",
    open: inParameters("url"),
  },
  {
    // https://steamcommunity.com/linkfilter/?url=URL, formerly /linkfilter/URL; now also with u=
    name: "Steam",
    sites: ["steamcommunity"],
    host: /^(?:[a-z]+\.)?steamcommunity\.com$/,
    path: /^\/linkfilter(?:\/|$)/,
    mark: "/linkfilter",
    open: ({ query, rest }) => [
      ...parameters(query, ["url", "u"]),
      rest.slice("/linkfilter/".length),
    ],
  },
  {
    // https://vk.com/away.php?to=URL&cc_key=…
    name: "VK",
    sites: ["vk"],
    host: /^(?:[a-z]+\.)?vk\.(?:com|ru)$/,
    path: /^\/away(?:\.php)?$/,
    mark: "?",
    open: inParameters("to"),
  },
  {
    // https://t.umblr.com/redirect?z=URL&t=…
    name: "Tumblr",
    sites: ["umblr"],
    host: /^t\.umblr\.com$/,
    path: /^\/redirect$/,
    mark: "?",
    open: inParameters("z"),
  },
  {
    // https://href.li/?URL
    name: "Tumblr",
    sites: ["href"],
    host: /^href\.li$/,
    path: /^\/$/,
    mark: "?",
    // A URL in the fragment is not sent to the service.
    open: ({ rest }) => (rest.startsWith("/?") ? [rest.slice("/?".length)] : []),
  },
];

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
