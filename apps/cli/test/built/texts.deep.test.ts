import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { URLHASH, urlhash } from "./program.ts";

const MEGABYTE = 1e6;

/** Repeats a text in equal chunks of about 50 kB. */
function pieces(text: string, size: number): Uint8Array[] {
  const piece = Buffer.from(text.repeat(Math.floor(50_000 / text.length)));
  return Array.from({ length: Math.round(size / piece.length) }, () => piece);
}

test.each([
  [["urn", "find"], "a urn:a:b c\n", "1:3: urn:a:b\n"],
  [["urn", "normalize"], "URN:A:b\n", "urn:a:b\n"],
  [
    ["hash-uris", "--no-header"],
    "http://www.thus.net\n",
    "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\n",
  ],
])("%j: results come while stdin is still open", async (argv, given, result) => {
  const child = spawn(process.execPath, [URLHASH, ...argv]);
  child.stdin.write(given);
  const [first] = await once(child.stdout, "data");
  expect(String(first)).toBe(result);
  child.stdin.end();
  expect(await once(child, "close")).toEqual([0, null]);
});

test.each([[["urn", "find"]], [["urn", "normalize", "--json"]], [["hash-uris"]]])(
  "%j: a closed pipe ends it quietly",
  async (argv) => {
    const stdin = pieces("urn:a:b\n", 20 * MEGABYTE);
    const ended = await urlhash(argv, { stdin, closeAfter: 1 });
    expect(ended).toMatchObject({ status: 0, stderr: "" });
  },
);
