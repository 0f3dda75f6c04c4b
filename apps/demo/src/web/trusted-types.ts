/** The part of Trusted Types that is used here. Not every browser has Trusted Types. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

/** The only way in which this page turns text into a script URL. It permits only scripts from the page's own server. */
const policy = trustedTypes?.createPolicy("urlhash", {
  createScriptURL(url) {
    if (new URL(url, location.href).origin === location.origin) return url;
    throw new TypeError(`${url} is not a script of this page`);
  },
});

/** Converts the URL of a script so that the browser accepts it for starting a worker. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}
