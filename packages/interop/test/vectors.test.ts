import { readFileSync } from "node:fs";
import { type Client, readAs } from "@x/interop";
import { describe, expect, test } from "vitest";

interface Vector {
  readonly input: string;
  /** The text that stands for exactly this URL, or all texts in any order. */
  readonly expected: string | null | readonly string[];
}

describe.each(["firefox", "clamav", "google-go"] as const)("%s", (client: Client) => {
  const file = new URL(`./vectors/${client}.json`, import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: readonly Vector[] };

  test.each(cases)("$input", ({ input, expected }) => {
    const { exact, texts, problem } = readAs(client, input);
    if (Array.isArray(expected)) expect([...texts].sort()).toEqual([...expected].sort());
    else expect(exact).toBe(expected);
    expect(problem === null).toBe(exact !== null);
  });
});
