/** As much of Trusted Types as is needed here; not every browser has them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

/** The one way in which this page turns text into something that runs: the scripts it came with. */
const policy = trustedTypes?.createPolicy("urlhash", {
  createScriptURL(url) {
    if (new URL(url, location.href).origin === location.origin) return url;
    throw new TypeError(`${url} is not a script of this page`);
  },
});

/** The URL of a script of this page, for a worker to be started with. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}
