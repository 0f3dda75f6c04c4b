import { memoryStorage } from "@x/list-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import type { Operator } from "../../src/serve/pages/operator.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";

const OPERATOR: Operator = {
  name: 'Example <b>"Ltd"</b>',
  text: "We block what endangers our pupils & guests.",
  contact: "lists@example.com",
};
const BROWSER = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const issued = Date.now() - 3 * 3_600_000;
let named: LoggedServer;
let nameless: LoggedServer;

beforeAll(async () => {
  const signer = await newSigner();
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"], { now: () => issued });
  await publish("our-own", ["c.example/"], { now: () => issued });
  await publish("intranet", ["b.example/"], { about: { reason: "a secret reason" } });
  const about = { reason: "<i>phishing</i>", contact: "https://example.com/?a&b" };
  await publish("phishing", ["d.example/"], { about });
  await publish("spam", ["e.example/"], { about: { contact: "javascript:alert(1)" } });
  const keys = `${hashApiKey("a-key")} intranet`;
  named = await startLoggedServer(storage, signer, { keys, operator: OPERATOR });
  nameless = await startLoggedServer(memoryStorage(), signer);
});
afterAll(async () => {
  await named.stop();
  await nameless.stop();
});

async function get(server: LoggedServer, path: string, headers = {}) {
  const response = await fetch(server.origin + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("the page for a person who is blocked", () => {
  test("says who runs the lists, and how to object", async () => {
    const { status, text } = await get(named, "/blocked");
    expect(status).toBe(200);
    expect(text).toContain("<title>This page was blocked · Example &lt;b&gt;");
    expect(text).toContain("Example &lt;b&gt;&quot;Ltd&quot;&lt;/b&gt;");
    expect(text).not.toContain("<b>");
    expect(text).toContain("our pupils &amp; guests.");
    expect(text).toContain(
      '<a href="mailto:lists@example.com?subject=Blocked%20by%20mistake">lists@example.com</a>',
    );
  });

  test("has the reasons and contacts that public lists have", async () => {
    const { text } = await get(named, "/blocked");
    expect(text).toContain(
      '<li>phishing: &lt;i&gt;phishing&lt;/i&gt; (<a href="https://example.com/?a&amp;b">https://example.com/?a&amp;b</a>)</li>\n<li>spam (javascript:alert(1))</li>',
    );
    expect((await get(nameless, "/blocked")).text).not.toContain("<h2>Why?</h2>");
  });

  test("is the same for everybody, and names no other list", async () => {
    const { text } = await get(named, "/blocked");
    expect(text).not.toMatch(/malware|our-own|intranet|secret/);
    for (const path of ["/blocked?url=http://a.example/", "/blocked?key=a-key"]) {
      expect(await get(named, path, BROWSER)).toMatchObject({ status: 200, text });
    }
  });

  test("sets no cookies, sends no referrer, loads nothing, and may run only its own script", async () => {
    const { headers, text } = await get(named, "/blocked");
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    const policy = headers.get("content-security-policy")!;
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^ ]+; script-src 'sha256-[^ ]+;/,
    );
    expect(policy).not.toContain("unsafe-inline");
    expect([...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      "data:,",
      "https://example.com/?a&amp;b",
      expect.stringMatching(/^mailto:/),
    ]);
  });

  test("leaves nothing in the log but its name", async () => {
    await get(named, "/blocked?http://secret.example/", BROWSER);
    expect(named.log()).toContain('"route":"blocked"');
    expect(named.log()).not.toContain("secret");
  });

  test("takes no addresses, and there are no pages about lists", async () => {
    const posted = await fetch(`${named.origin}/blocked`, {
      method: "POST",
      body: new URLSearchParams({ url: "http://a.example/" }),
    });
    expect(posted.status).toBe(404);
    for (const path of ["/blocked/malware", "/favicon.ico", "/nothing"]) {
      const { status, text } = await get(named, path, BROWSER);
      expect(status, path).toBe(404);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 404 } });
    }
  });

  test("says what is not known when the settings say nothing", async () => {
    const { text } = await get(nameless, "/blocked");
    expect(text).toContain("The operator has not given a name.");
    expect(text).toContain("The operator has not given a contact.");
  });
});

test("the page at / says who runs the server, and whom to ask", async () => {
  const { text } = await get(named, "/");
  expect(text).toContain("<title>Lists of dangerous sites · Example &lt;b&gt;");
  expect(text).toContain("our pupils &amp; guests.");
  expect(text).toContain("lists@example.com");
});
