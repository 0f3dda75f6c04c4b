import { expect, test } from "vitest";
import { startServer } from "../../src/server/start-server.ts";
import {
  BUILT_PAGE,
  dropFile,
  expectViolations,
  field,
  historyHas,
  openPage,
  useBrowser,
} from "./open-page.ts";

useBrowser();

const TABS = ["Check", "Tools"];

test("once loaded, the page sends no request, whatever the user does", async () => {
  const { page, requests, url } = await openPage({ worksOffline: true });
  expect(requests.filter((request) => !request.startsWith(url))).toEqual([]);
  const before = requests.length;
  expect(before).toBeGreaterThan(0);
  for (const name of TABS) {
    await page.getByRole("tab", { name, exact: true }).click();
    await page.getByRole("textbox").first().fill("http://login.azukishop.live/?secret#x");
  }
  await page.getByRole("tab", { name: "Check" }).click();
  await field(page, "Link or message").fill("azukishop.live/a\nazukishop.live/b");
  await page.getByText("Do not open these 2 links").first().waitFor();
  await dropFile(page, "[data-drop=list]", "x.txt", new TextEncoder().encode("evil.example\n"));
  await page.getByRole("button", { name: "Remove x.txt" }).waitFor();
  expect(requests.slice(before)).toEqual([]);
});

test("what is typed is neither in addresses nor in titles, which browsers keep and synchronize", async () => {
  const { page } = await openPage({ fragment: "#url?u=http://shared.example/" });
  const seen = new Set<string>();
  const devtools = await page.context().newCDPSession(page);
  const look = async (): Promise<void> => {
    const { entries } = await devtools.send("Page.getNavigationHistory");
    for (const { url, userTypedURL, title } of entries) seen.add(url).add(userTypedURL).add(title);
    seen.add(await page.evaluate(() => location.href)).add(await page.title());
  };
  for (const name of TABS) {
    await page.getByRole("tab", { name, exact: true }).click();
    const box = page.getByRole("textbox").first();
    await box.fill("http://login.azukishop.live/?secret");
    await historyHas(page, "secret");
    await look();
    await box.fill("hxxp://secret[.]example");
    await historyHas(page, "%5B.%5D");
    await look();
  }
  await page.goBack();
  await look();
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
  );
  const texts = [...seen, stored].filter((text) => /secret|azuki/i.test(text));
  expect(texts).toEqual([]);
  expect([...seen].filter((text) => text.includes("u=")).length).toBe(1);
});

test("it works when the server is gone, even after a reload", async () => {
  const server = await startServer({ port: 0, folder: BUILT_PAGE });
  const { page } = await openPage({ server, worksOffline: true });
  await server.stop(0);
  await page.reload();
  await page.getByText("More examples").click();
  await page.getByRole("button", { name: "Listed site in disguise" }).click();
  await page.locator(".verdict.listed").waitFor();
  await field(page, "Link or message").fill("azukishop.live/a\nazukishop.live/b");
  await page.getByText("Do not open these 2 links").first().waitFor();
});

test("the policy is in force: foreign scripts, styles, images and connections are refused", async () => {
  const { page, troubles } = await openPage();
  const outcome = await page.evaluate(async () => {
    const script = document.createElement("script");
    try {
      script.textContent = "globalThis.ran = true";
    } catch {
      // The browser refuses even to set the text of the script.
    }
    document.body.append(script);
    let markup = "parsed";
    try {
      document.body.insertAdjacentHTML("beforeend", "<p>");
    } catch {
      markup = "refused";
    }
    const fetched = await fetch("https://example.com/").then(
      () => "fetched",
      () => "refused",
    );
    // The code runs in a turn of its own, because the tools that run the test are allowed to evaluate code.
    const evaluated = await new Promise((resolve) => {
      setTimeout(() => {
        try {
          resolve(new Function("return 'evaluated'")());
        } catch {
          resolve("refused");
        }
      });
    });
    return [Reflect.has(globalThis, "ran"), markup, fetched, evaluated];
  });
  expect(outcome).toEqual([false, "refused", "refused", "refused"]);
  // Each violation is reported twice, because the policy is in the page and in a header.
  await expectViolations(
    troubles,
    [
      ...Array(3).fill("require-trusted-types-for trusted-types-sink"),
      "connect-src https://example.com/",
    ],
    2,
  );
});
