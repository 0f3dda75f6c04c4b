import { findLinks } from "@x/links";
import getUrls from "get-urls";
import { Parser } from "htmlparser2";
import { extractIOC } from "ioc-extractor";
import { linkifyit } from "linkify-it";
import * as linkifyjs from "linkifyjs";
import { parse } from "parse5";
import urlRegex from "url-regex-safe";

const linkify = linkifyit({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true, urlAuth: true });
const isWeb = (url) => !/^mailto:/i.test(url);

/** Functions that return the links in a text, each with the settings that find most. */
export const textFinders = {
  "@x/links": (text) => findLinks(text).map(({ url }) => url),
  "linkify-it": (text) => (linkify.match(text) ?? []).map(({ url }) => url).filter(isWeb),
  linkifyjs: (text) =>
    linkifyjs
      .find(text, "url")
      .map(({ href }) => href)
      .filter(isWeb),
  "url-regex-safe": (text) =>
    text.match(urlRegex({ re2: false, localhost: true, ipv4: true })) ?? [],
  "get-urls": (text) => [
    ...getUrls(text, { normalizeProtocol: false, stripWWW: false, stripHash: false }),
  ],
  "ioc-extractor": (text) => {
    const { urls, domains } = extractIOC(text);
    // A domain counts only if it is not the host of a URL that was found.
    return [...urls, ...domains.filter((host) => !urls.some((url) => url.includes(host)))];
  },
};

const ATTRIBUTES = [
  "href",
  "xlink:href",
  "src",
  "action",
  "formaction",
  "poster",
  "background",
  "data",
  "cite",
];

/** Functions that return the URLs in HTML. The parsers are asked only for the usual attributes. */
export const pageFinders = {
  "@x/links": (html, base) => findLinks(html, { as: "html", base }).map(({ url }) => url),
  "htmlparser2, usual attributes": (html, base) => {
    const found = [];
    let against = base;
    const parser = new Parser({
      onopentag(name, attributes) {
        if (name === "base" && attributes.href) against = new URL(attributes.href, base).href;
        for (const key of ATTRIBUTES) {
          if (name !== "base" && attributes[key]) found.push(attributes[key]);
        }
      },
    });
    parser.end(html);
    return found.map((url) => resolved(url, against));
  },
  "parse5, usual attributes": (html, base) => {
    const found = [];
    let against = base;
    const visit = (node) => {
      for (const { name, value } of node.attrs ?? []) {
        if (node.tagName === "base" && name === "href") against = new URL(value, base).href;
        else if (ATTRIBUTES.includes(name)) found.push(value);
      }
      for (const child of [...(node.childNodes ?? []), ...(node.content?.childNodes ?? [])])
        visit(child);
    };
    visit(parse(html));
    return found.map((url) => resolved(url, against));
  },
};

function resolved(url, base) {
  return URL.canParse(url, base) ? new URL(url, base).href : url;
}
