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
  const fragment = "#url?u=azukishop.live/a%0Aazukishop.live/b";
  const { page } = await openPage({ fragment, worksOffline: true, prepare: withoutWorker });
  const failure = page.getByText("Nothing was checked: the worker of this page does not run");
  await failure.waitFor();
  await field(page, "Link or message").fill("See example.com or example.org");
  await failure.waitFor();
  await dropFile(page, "[data-drop=list]", "x.txt", new TextEncoder().encode("evil.example\n"));
  await page
    .getByText("x.txt was not added: the worker of this page does not run.")
    .first()
    .waitFor();
});
