import { expect, test } from "vitest";
import { setUp } from "./support/set-up.ts";

const HOSTS = [
  ...["good.example", "www.evil.example", "EVIL.example.", "bad.example", "phish.example"],
  ...["bücher.example", "_dmarc.evil.example", "1.2.3.4", "[::1]", "x".repeat(300)],
  ...["a b", "a\u{2065}b", "", "evil.example/path", "user@evil.example", "[", "a..b"],
];

test("checkHostLocally agrees with checkLocally for the URL http://HOST/", async () => {
  const { client, clock } = setUp();
  const seen = new Set<string | null>();
  const compare = () => {
    for (const host of HOSTS) {
      const verdict = client.checkHostLocally(host);
      expect(verdict, host).toEqual(client.checkLocally(`http://${host}/`));
      seen.add(verdict.reason ?? verdict.verdict);
    }
  };
  compare();
  await client.update();
  compare();
  await client.check("http://evil.example/");
  compare();
  await clock.pass(1e12);
  compare();
  expect([...seen].sort()).toEqual([
    ...["not-loaded", "outdated", "safe", "unconfirmed", "unsafe"],
    ...["url-invalid", "url-undecided"],
  ]);
});

test("a host of another type is a TypeError", () => {
  const { client } = setUp();
  for (const host of [undefined, null, 5, new Uint8Array(3)]) {
    expect(() => client.checkHostLocally(host as never)).toThrow(TypeError);
  }
});
