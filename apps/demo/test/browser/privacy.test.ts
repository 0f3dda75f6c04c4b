import { expect, test } from "vitest";
import { startServer } from "../../src/server/start-server.ts";
import { BUILT_PAGE, dropFile, field, openPage, textOf, useBrowser } from "./open-page.ts";

useBrowser();

const TABS = ["URL", "Many URLs", "Hashed URIs", "URN"];

test("after the load nothing is asked of any server, whatever is done", async () => {
  const { page, requests, url } = await openPage();
  expect(requests.filter((request) => !request.startsWith(url))).toEqual([]);
  const before = requests.length;
  expect(before).toBeGreaterThan(0);
  for (const name of TABS) {
    await page.getByRole("tab", { name, exact: true }).click();
    await page.getByRole("textbox").first().fill("http://login.azukishop.live/?secret#x");
  }
  await page.getByRole("tab", { name: "Many URLs" }).click();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Done. 1 of 1 listed.").waitFor();
  await dropFile(page, "[data-drop=list]", "x.txt", new TextEncoder().encode("evil.example\n"));
  await page.getByRole("button", { name: "Remove x.txt" }).waitFor();
  await field(page, "Engine").selectOption("javascript");
  await field(page, "Theme").selectOption("dark");
  expect(requests.slice(before)).toEqual([]);
});

test("it works when the server is gone, a reload included", async () => {
  const server = await startServer({ port: 0, folder: BUILT_PAGE });
  const { page } = await openPage({ server });
  await server.stop(0);
  await page.reload();
  await page.getByRole("button", { name: "Listed site in disguise" }).click();
  await page.locator(".verdict.listed").waitFor();
  await page.getByRole("tab", { name: "Many URLs" }).click();
  await field(page, "URLs, one per line").fill("azukishop.live");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Done. 1 of 1 listed.").waitFor();
});

test("where WebAssembly is permitted it runs, and the page says so", async () => {
  const { page } = await openPage();
  expect(await textOf(page.locator(".engine"))).toContain("WebAssembly");
  await field(page, "Engine").selectOption("javascript");
  expect(await textOf(page.locator(".engine"))).toContain("JavaScript");
});

test("where WebAssembly is forbidden everything works, and nothing even tries it", async () => {
  const { page } = await openPage({ allowsWebAssembly: false });
  expect(await textOf(page.locator(".engine"))).toContain("JavaScript");
  await page.getByRole("button", { name: "Listed site in disguise" }).click();
  await page.locator(".verdict.listed").waitFor();
  await page.getByRole("tab", { name: "Many URLs" }).click();
  await page.getByText(/Done\. 9 of 18 listed\. Engine: JavaScript/).waitFor();
});

test("the policy is in force: foreign scripts, styles, images and connections are refused", async () => {
  const { page, troubles } = await openPage();
  const outcome = await page.evaluate(async () => {
    const script = document.createElement("script");
    try {
      script.textContent = "globalThis.ran = true";
    } catch {
      // What is to run cannot even be written.
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
    // In a turn of its own: the tools that run this one may evaluate.
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
  await page.waitForTimeout(200);
  expect(troubles.join("\n")).toContain("policy violated: connect-src https://example.com/");
  troubles.length = 0;
});
