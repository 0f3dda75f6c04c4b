import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";

interface Vector {
  readonly input: string | { readonly bytes: string };
  readonly specification: string | null;
  readonly browser: string | null;
}

// Parsed here, because vite's JSON parser refuses half a surrogate pair.
const VECTORS: { readonly cases: readonly Vector[] } = JSON.parse(
  readFileSync(new URL("./vectors/browser.json", import.meta.url), "utf8"),
);

/** Reads a URL as React Native does: a backslash is an ordinary character, and nothing is checked. */
class UrlOfReactNative {
  readonly href: string;

  constructor(url: string) {
    this.href = url.includes("#") || url.includes("?") || url.endsWith("/") ? url : `${url}/`;
  }

  get hostname(): string {
    return /^https?:\/\/(?:[^@]+@)?([^:/?#]+)/.exec(this.href)?.[1] ?? "";
  }
}

const NAMES = ["URL", "URLSearchParams", "TextDecoder", "TextEncoder"] as const;

describe.each([
  ["whose URL is that of React Native", { URL: UrlOfReactNative }],
  [
    "whose URL has no canParse",
    {
      URL: class extends URL {
        static override canParse = undefined as never;
      },
    },
  ],
  ["without TextDecoder", { TextDecoder: undefined }],
  ["without any of them", Object.fromEntries(NAMES.map((name) => [name, undefined]))],
])("a platform %s", (_, globals) => {
  afterEach(() => vi.unstubAllGlobals());

  test("reads all URLs as others do", async () => {
    const { URL: url, ...others }: Record<string, unknown> = { URL, ...globals };
    for (const [name, value] of Object.entries(others)) vi.stubGlobal(name, value);
    vi.resetModules();
    const { tryParseUrl } = await import("@x/canon");
    const { tryParseUrlAsBrowser } = await import("@x/canon/browser");
    const { readUrl } = await import("@x/canon/readings");
    // The test runner needs `URL` to import modules.
    vi.stubGlobal("URL", url);
    expect(tryParseUrlAsBrowser("http://evil.example\\@good.example/")?.host).toBe("evil.example");
    for (const { input, specification, browser } of VECTORS.cases) {
      const url = typeof input === "string" ? input : Buffer.from(input.bytes, "hex");
      expect(tryParseUrl(url)?.href ?? null).toBe(specification);
      expect(readUrl(url).browser?.href ?? null).toBe(browser);
    }
  });
});
