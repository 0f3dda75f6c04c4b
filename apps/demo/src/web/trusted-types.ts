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
 * The only way in which this page turns text into a script URL or a document. It permits only scripts from the page's own
 * server. It is not exported, so HTML gets nowhere but into {@link parseHtml}.
 */
const policy = trustedTypes?.createPolicy("urlhash", {
  createScriptURL(url) {
    if (new URL(url, location.href).origin === location.origin) return url;
    throw new TypeError(`${url} is not a script of this page`);
  },
  createHTML: (html) => html,
});

/** Makes the URL of a script one that the browser accepts for starting a worker. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}

/** A tag. The time is linear, because a `<` ends the attempt. */
const TAG = /<\/?[a-z](?:[^"'<>]|"[^"<]*"|'[^'<]*')*>/gi;
const ATTRIBUTE = /(?<=[\s"'/])([^\s=/"'>]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+)/g;

/** Browsers report styles as violations of the policy, even in a document that is never shown. */
function withoutStyles(html: string): string {
  return html.replace(TAG, (tag) =>
    tag
      // Both contain text that is not HTML, and a script does not run there.
      .replace(/^(<\/?)style(?![\w-])/i, "$1script")
      .replace(ATTRIBUTE, (whole, name: string) => (name.toLowerCase() === "style" ? "" : whole)),
  );
}

/** Parses HTML into a document apart from the page, which runs no script and loads nothing. Never put its nodes into the page. */
export function parseHtml(html: string): Document {
  const unstyled = withoutStyles(html);
  return new DOMParser().parseFromString(policy?.createHTML(unstyled) ?? unstyled, "text/html");
}
