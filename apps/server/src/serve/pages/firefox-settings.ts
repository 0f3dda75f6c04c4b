/** Firefox's name for the provider of each protocol, and the paths that the provider's URLs need. */
const PROVIDERS = {
  v5: {
    name: "google5",
    update: "/v5/hashLists:batchGet?",
    search: "/v5/hashes:search?",
  },
  v4: {
    name: "google4",
    update: "/v4/threatListUpdates:fetch?$ct=application/x-protobuf&$httpMethod=POST",
    search: "/v4/fullHashes:find?$ct=application/x-protobuf&$httpMethod=POST",
  },
} as const;

/**
 * Returns the lines of a `user.js` that make Firefox use the server at `origin`, such as `http://127.0.0.1:8080`,
 * instead of Google's. Warning pages show `advisory` as the name of their source.
 */
export function firefoxSettings(origin: string, protocol: "v5" | "v4", advisory: string): string {
  const { name, update, search } = PROVIDERS[protocol];
  const blocked = `${origin}/blocked`;
  const provider = `browser.safebrowsing.provider.${name}`;
  const settings: readonly (readonly [string, string | boolean])[] = [
    ["browser.safebrowsing.malware.enabled", true],
    ["browser.safebrowsing.phishing.enabled", true],
    ["browser.safebrowsing.downloads.remote.enabled", false],
    ["browser.safebrowsing.provider.google5.enabled", protocol === "v5"],
    // Firefox appends its parameters with "&", so the URLs must already have a "?".
    [`${provider}.updateURL`, origin + update],
    [`${provider}.gethashURL`, origin + search],
    [`${provider}.advisoryName`, advisory],
    [`${provider}.advisoryURL`, blocked],
    // Firefox appends the URL that it blocked. After a "#", no browser sends it to the server.
    [`${provider}.reportURL`, `${blocked}#`],
    [`${provider}.reportMalwareMistakeURL`, `${blocked}#`],
    [`${provider}.reportPhishMistakeURL`, `${blocked}#`],
    // Without this setting, Firefox builds that have no Google API key ignore the provider.
    [`${provider}.excludeFromGoogleSafeBrowsingKeyCheck`, true],
    [`${provider}.nextupdatetime`, "1"],
  ];
  return settings
    .map(([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`)
    .join("");
}
