import type { BrowserContext } from "playwright-core";
import { test } from "vitest";
import { dropFile, field, openPage, useBrowser } from "./open-page.ts";

useBrowser();

/** Keeps the page from loading its worker. The service worker, which stores the same file, can still load it. */
async function withoutWorker(context: BrowserContext): Promise<void> {
  await context.route(/\/page-worker-[^/]*\.js$/, (route) =>
    route.request().serviceWorker() === null ? route.fulfill({ status: 404 }) : route.continue(),
  );
}

test("if the worker cannot be loaded, every question to it fails", async () => {
  const fragment = "#many?u=azukishop.live";
  const { page } = await openPage({ fragment, worksOffline: true, prepare: withoutWorker });
  const failure = page.getByText("Failed: the worker of this page does not run.");
  await failure.waitFor();

  await field(page, "URLs, one per line").fill("example.com");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("have changed since").waitFor({ state: "detached" });
  await failure.waitFor();
  await dropFile(page, "[data-drop=list]", "x.txt", new TextEncoder().encode("evil.example\n"));
  await page.getByText("x.txt was not added: the worker of this page does not run.").waitFor();
});
