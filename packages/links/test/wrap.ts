import { Buffer } from "node:buffer";

/** An independent implementation of a service that wraps links, for the tests of `unwrapLink`. */
export interface Encoder {
  /** The name of the wrapper in the results of `unwrapLink`. */
  readonly wrapper: string;
  readonly wrap: (url: string) => string;
}

/**
 * Percent-encodes as .NET's `HttpUtility.UrlEncode`: with lower-case digits, and more characters than JavaScript's
 * `encodeURIComponent`.
 */
const dotNet = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9.]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");

const proofpoint2 = (url: string): string => {
  let text = "";
  for (const byte of Buffer.from(url)) {
    const character = String.fromCharCode(byte);
    if (character === "/") text += "_";
    else if (/[A-Za-z0-9.]/.test(character)) text += character;
    else text += `-${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
};

/** The characters that Proofpoint leaves in a version 3 URL. */
const KEPT = /[A-Za-z0-9.:/?=&_~,;@$-]/;
const RUN_LENGTHS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"];

const proofpoint3 = (url: string): string => {
  const characters = [...url];
  let replaced = "";
  let text = "";
  for (let i = 0; i < characters.length; ) {
    if (KEPT.test(characters[i]!)) {
      text += characters[i++];
      continue;
    }
    let run = "";
    let count = 0;
    while (i < characters.length && count < 65 && !KEPT.test(characters[i]!)) {
      run += characters[i++];
      count++;
    }
    replaced += run;
    text += count === 1 ? "*" : `**${RUN_LENGTHS[count - 2]}`;
  }
  return `https://urldefense.com/v3/__${text}__;${Buffer.from(replaced).toString("base64url")}!!KEc8uF_xo8-al5zF!HL4oAiHZjI-tgHQlhtx$`;
};

const parameter =
  (start: string, end = "") =>
  (url: string): string =>
    start + encodeURIComponent(url) + end;

const base64Url = (text: string): string => Buffer.from(text).toString("base64url");

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, "");
const secure = (url: string): string => (url.startsWith("https:") ? "s/" : "");

/** Encodes a host such as `en.wiki-pedia.org` as the first label of a host at `translate.goog` or an AMP cache. */
const asLabel = (host: string): string => host.replaceAll("-", "--").replaceAll(".", "-");

export const ENCODERS: readonly Encoder[] = [
  {
    wrapper: "Outlook SafeLinks",
    wrap: parameter(
      "https://nam02.safelinks.protection.outlook.com/?url=",
      "&data=05%7C01%7Ca%40b.example%7C0&sdata=PEoD%2FA%3D&reserved=0",
    ),
  },
  {
    wrapper: "Outlook SafeLinks",
    wrap: parameter(
      "https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=",
      "&locale=en-us",
    ),
  },
  {
    wrapper: "Proofpoint v1",
    wrap: parameter(
      "https://urldefense.proofpoint.com/v1/url?u=",
      "&k=oIvRg1%2BdGAgOoM1BIlLLqw%3D%3D%0A&r=IKM5u8&m=Ww6&s=d3583cfa",
    ),
  },
  {
    wrapper: "Proofpoint v2",
    wrap: (url) =>
      `https://urldefense.proofpoint.com/v2/url?u=${proofpoint2(url)}&d=DwMFaQ&c=Vxt5e0O&r=MujLDFB&m=QJGhl&s=ew-rOt&e=`,
  },
  { wrapper: "Proofpoint v3", wrap: proofpoint3 },
  {
    wrapper: "Barracuda",
    wrap: (url) =>
      `https://linkprotect.cudasvc.com/url?a=${dotNet(url)}&c=E,1,0N8aGcvT,&typo=1&ancr_add=1`,
  },
  {
    wrapper: "Cisco",
    wrap: parameter("https://secure-web.cisco.com/1fCCdfJv_BYjz_YqipXEJjGHlmXlnTXcGx0N5X1OG/"),
  },
  {
    wrapper: "Trend Micro",
    wrap: (url) =>
      `https://ddec1-0-en-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=${dotNet(url)}&umid=31e1136e-6322&auth=53c7c7de28b9`,
  },
  {
    wrapper: "Symantec",
    wrap: parameter("https://clicktime.symantec.com/15xVcHh2qpEgPv5boCzmK?h=QCYVzyLUm8bH6w=&u="),
  },
  {
    wrapper: "FireEye",
    wrap: parameter(
      "https://protect2.fireeye.com/v1/url?k=00bf92e9-5f24adeb-00beb0cd&q=1&e=221919da-9d68&u=",
    ),
  },
  {
    wrapper: "FireEye",
    wrap: parameter("https://protect2.fireeye.com/url?k=1ffa720f-9a5a550397b4da2b&u="),
  },
  {
    wrapper: "Sophos",
    wrap: (url) =>
      `https://eu-west-1.protection.sophos.com/?d=example.com&u=${encodeURIComponent(Buffer.from(url).toString("base64"))}&i=NWY&t=a&h=1`,
  },
  {
    wrapper: "Google",
    wrap: parameter("https://www.google.com/url?sa=t&q=", "&usg=AOvVaw0&ved=2ah"),
  },
  { wrapper: "Google", wrap: parameter("https://www.google.co.uk/url?esrc=s&url=", "&ved=2ah") },
  { wrapper: "Google", wrap: parameter("https://meet.google.com/linkredirect?authuser=0&dest=") },
  {
    wrapper: "Bing",
    wrap: (url) =>
      `https://www.bing.com/ck/a?!&&p=2f8a&ptn=3&ver=2&hsh=4&fclid=1&u=a1${base64Url(url)}&ntb=1`,
  },
  {
    wrapper: "Bing",
    wrap: (url) =>
      `https://www.bing.com/aclick?ld=e8&u=${base64Url(encodeURIComponent(url))}&rlid=4`,
  },
  {
    wrapper: "Yahoo",
    wrap: parameter(
      "https://r.search.yahoo.com/_ylt=Awr/RV=2/RE=1700000000/RO=10/RU=",
      "/RK=2/RS=a8zK-",
    ),
  },
  {
    wrapper: "YouTube",
    wrap: parameter("https://www.youtube.com/redirect?event=video&redir_token=QUFF&q=", "&v=dQw"),
  },
  { wrapper: "Facebook", wrap: parameter("https://l.facebook.com/l.php?u=", "&h=AT0&s=1") },
  { wrapper: "Facebook", wrap: parameter("https://www.facebook.com/flx/warn/?u=", "&h=AT0") },
  { wrapper: "Instagram", wrap: parameter("https://l.instagram.com/?u=", "&e=AT3") },
  {
    wrapper: "LinkedIn",
    wrap: parameter("https://www.linkedin.com/safety/go?url=", "&trk=flagship-messaging-web"),
  },
  {
    wrapper: "LinkedIn",
    wrap: parameter("https://www.linkedin.com/redir/redirect?url=", "&urlhash=x"),
  },
  {
    wrapper: "Check Point",
    wrap: (url) => `https://protect.checkpoint.com/v2/___${url}___.YzJlOmNvbXBhbnk6YzpvOjE`,
  },
  { wrapper: "X", wrap: parameter("https://twitter.com/i/redirect?url=", "&t=1&cn=abc&sig=01") },
  { wrapper: "X", wrap: parameter("https://x.com/safety/unsafe_link_warning?unsafe_link=") },
  { wrapper: "Slack", wrap: parameter("https://slack-redir.net/link?url=", "&v=3") },
  { wrapper: "Steam", wrap: parameter("https://steamcommunity.com/linkfilter/?url=") },
  { wrapper: "Steam", wrap: parameter("https://steamcommunity.com/linkfilter/?u=") },
  { wrapper: "VK", wrap: parameter("https://vk.com/away.php?to=", "&cc_key=") },
  { wrapper: "Tumblr", wrap: parameter("https://t.umblr.com/redirect?z=", "&t=OWQ&m=1") },
  { wrapper: "Tumblr", wrap: (url) => `https://href.li/?${url}` },
  {
    wrapper: "AMP cache",
    wrap: (url) =>
      `https://${asLabel(new URL(url).hostname)}.cdn.ampproject.org/c/${secure(url)}${withoutScheme(url)}`,
  },
  {
    wrapper: "AMP cache",
    wrap: (url) => `https://www.google.com/amp/${secure(url)}${withoutScheme(url)}`,
  },
  {
    wrapper: "Google Translate",
    wrap: (url) => {
      const { hostname, pathname, search, protocol } = new URL(url);
      const scheme = protocol === "http:" ? "&_x_tr_sch=http" : "";
      return `https://${asLabel(hostname)}.translate.goog${pathname}${search === "" ? "?" : `${search}&`}_x_tr_sl=auto&_x_tr_tl=en${scheme}`;
    },
  },
  {
    wrapper: "Google Translate",
    wrap: parameter("https://translate.google.com/translate?sl=auto&tl=en&u="),
  },
  { wrapper: "Web archive", wrap: (url) => `https://web.archive.org/web/20200131120000/${url}` },
  { wrapper: "Web archive", wrap: (url) => `https://web.archive.org/web/2020id_/${url}` },
  { wrapper: "Web archive", wrap: (url) => `https://web.archive.org/save/${url}` },
  { wrapper: "Web archive", wrap: (url) => `https://arquivo.pt/wayback/20200131120000/${url}` },
  { wrapper: "Web archive", wrap: (url) => `https://archive.ph/newest/${url}` },
  { wrapper: "Web archive", wrap: (url) => `https://archive.today/20200131/${url}` },
  { wrapper: "view-source", wrap: (url) => `view-source:${url}` },
  { wrapper: "blob", wrap: (url) => `blob:${url}` },
  { wrapper: "filesystem", wrap: (url) => `filesystem:${url}` },
  {
    wrapper: "intent",
    wrap: (url) =>
      `intent:${url.replace(/^https?:/, "")}#Intent;scheme=${new URL(url).protocol.slice(0, -1)};package=com.example;end`,
  },
  {
    wrapper: "intent",
    wrap: parameter("intent://scan/#Intent;scheme=zxing;S.browser_fallback_url=", ";end"),
  },
];
