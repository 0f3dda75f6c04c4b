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
  await publish("constructor", ["d.example/"], { now: () => issued });
  await publish("intranet", ["b.example/"]);
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
  test("says which list, since when, who runs it, and how to object", async () => {
    const { status, text } = await get(named, "/blocked/malware");
    expect(status).toBe(200);
    expect(text).toContain("of the list <strong>malware</strong>. Sites that may install harmful");
    expect(text).toContain(`<time datetime="${new Date(issued).toISOString()}">`);
    expect(text).toContain("3 hours ago");
    expect(text).toContain("Example &lt;b&gt;&quot;Ltd&quot;&lt;/b&gt;");
    expect(text).not.toContain("<b>");
    expect(text).toContain("our pupils &amp; guests.");
    expect(text).toContain(
      '<a href="mailto:lists@example.com?subject=Blocked%20by%20mistake%3A%20malware">lists@example.com</a>',
    );
  });

  test("knows no meaning of a list that is named as an inherited property is", async () => {
    const { status, text } = await get(named, "/blocked/constructor");
    expect(status).toBe(200);
    expect(text).toContain("<strong>constructor</strong>. A list that the operator keeps.");
  });

  test("without a list, shows all public ones with their meaning", async () => {
    const { status, text } = await get(named, "/blocked");
    expect(status).toBe(200);
    expect(text).toContain('<a href="/blocked/malware">malware</a>');
    expect(text).toContain("A list that the operator keeps.");
    expect(text).not.toContain("intranet");
  });

  test("a private list and an unknown one look the same", async () => {
    const [closed, unknown] = await Promise.all([
      get(named, "/blocked/intranet", BROWSER),
      get(named, "/blocked/nothing", BROWSER),
    ]);
    expect(closed).toMatchObject({ status: 404, text: unknown.text });
    expect(closed.text).toContain("no public list of that name");
    expect(closed.text).not.toContain("intranet");
  });

  test("sets no cookies, sends no referrer, and may run only its own script", async () => {
    const { headers, text } = await get(named, "/blocked/malware?url=http://a.example/");
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    const policy = headers.get("content-security-policy")!;
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^ ]+; script-src 'sha256-[^ ]+;/,
    );
    expect(policy).not.toContain("unsafe-inline");
    expect(text).not.toContain("a.example");
    expect([...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      "/favicon.ico",
      "/blocked",
      expect.stringMatching(/^mailto:/),
    ]);
  });

  test("leaves nothing in the log but its name", async () => {
    await get(named, "/blocked/malware?http://secret.example/");
    await get(named, "/blocked/our-secret", BROWSER);
    expect(named.log()).toContain('"route":"blocked"');
    expect(named.log()).not.toContain("secret");
  });

  test("says what is not known when the settings say nothing", async () => {
    const { text } = await get(nameless, "/blocked");
    expect(text).toContain("No public list is served at the moment.");
    expect(text).toContain("The operator has not given a name.");
    expect(text).toContain("The operator has not given a contact.");
  });
});

test("the status page says who runs the server, and how old the lists are", async () => {
  const { text } = await get(named, "/");
  expect(text).toContain("<title>Lists on this server · Example &lt;b&gt;");
  expect(text).toMatch(/<td>3 hours<\/td><td>\d+ days?<\/td>/);
  expect(text).toContain("lists@example.com");
  expect(text).toContain("advisoryName&quot;, &quot;Example &lt;b&gt;");
  expect((await get(nameless, "/")).text).toContain(
    `advisoryName&quot;, &quot;${new URL(nameless.origin).host}&quot;`,
  );
});

describe("unknown paths", () => {
  test("are answered in words for a person, and as an error for a program", async () => {
    for (const path of ["/nothing", "/lookup/", "/v5/nothing", "/blocked/%3Cb%3E"]) {
      const page = await get(named, path, BROWSER);
      expect([page.status, page.headers.get("content-type")], path).toEqual([
        404,
        "text/html; charset=utf-8",
      ]);
      expect(page.text).toContain('<a href="/blocked">');
      const error = await get(named, path, { Accept: "*/*" });
      expect(JSON.parse(error.text), path).toMatchObject({ error: { code: 404 } });
    }
    expect((await get(named, "/nothing", BROWSER)).headers.get("vary")).toBe("Accept");
  });

  test("browsers get an icon, and keep it", async () => {
    const { status, headers, text } = await get(named, "/favicon.ico");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("image/svg+xml");
    expect(headers.get("cache-control")).toContain("max-age=");
    expect(text).toMatch(/^<svg /);
  });
});
