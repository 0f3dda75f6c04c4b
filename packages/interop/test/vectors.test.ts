import { readFileSync } from "node:fs";
import { type ClientKind, readAs } from "@x/interop";
import { describe, expect, test } from "vitest";

interface Vector {
  readonly input: string;
  /** The text that stands for exactly this URL, or all texts in any order. */
  readonly expected: string | null | readonly string[];
}

describe.each(["chromium", "clamav", "firefox", "google-go", "google-webrisk"] as const)(
  "%s",
  (client: ClientKind) => {
    const file = new URL(`./vectors/${client}.json`, import.meta.url);
    const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: readonly Vector[] };

    test.each(cases)("$input", ({ input, expected }) => {
      const { exact, texts, problem } = readAs(client, input);
      if (Array.isArray(expected)) expect([...texts].sort()).toEqual([...expected].sort());
      else expect(exact).toBe(expected);
      expect(problem === null).toBe(exact !== null);
    });
  },
);

test.each([undefined, null, "opera", "toString", {}, [], 5])("%j is not a client", (client) => {
  expect(() => readAs(client as ClientKind, "http://b.c/")).toThrow(TypeError);
});

test.each([undefined, null, 5, {}, ["b.c"]])("%j is not a URL", (url) => {
  expect(() => readAs("firefox", url as string)).toThrow(TypeError);
});
