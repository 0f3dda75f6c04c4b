/** The part of Trusted Types that is used here. Not every browser has Trusted Types. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: {
      readonly createScriptURL: (url: string) => string;
      readonly createHTML: (html: string) => string;
    },
  ): { createScriptURL(url: string): string; createHTML(html: string): string };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

/**
 * The only way in which this page turns text into a script URL or a document. The policy permits only scripts from the
 * page's own server. It is not exported, so only {@link parseHtml} can turn text into HTML.
 */
const policy = trustedTypes?.createPolicy("urlhash", {
  createScriptURL(url) {
    if (new URL(url, location.href).origin === location.origin) return url;
    throw new TypeError(`${url} is not a script of this page`);
  },
  createHTML: (html) => html,
});

/** Converts the URL of a script so that the browser accepts it for starting a worker. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}

/** Parses HTML into a separate document, which runs no scripts and loads nothing. Never put its nodes into the page. */
export function parseHtml(html: string): Document {
  return new DOMParser().parseFromString(policy?.createHTML(html) ?? html, "text/html");
}
