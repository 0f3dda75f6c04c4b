import { firstOf } from "@x/test-support/sample-size";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { answered, dropFile, openPage, useBrowser } from "./open-page.ts";

useBrowser();

declare const shownWhenNothingIsPending: string[];

/** Records the text on the screen whenever the page says that nothing is pending. */
function watchPending(): void {
  const shown: string[] = [];
  Object.assign(globalThis, { shownWhenNothingIsPending: shown });
  new MutationObserver((changes) => {
    if (changes.every(({ attributeName }) => attributeName !== "data-pending")) return;
    if (document.documentElement.dataset["pending"] !== "0") return;
    shown.push(document.querySelector("main")!.textContent);
  }).observe(document, { attributes: true, subtree: true });
}

const shownOn = (page: Page): Promise<string[]> => page.evaluate(() => shownWhenNothingIsPending);

const QUESTIONS = [
  ["#url?u=http://x.azukishop.live/", "1 of 2 expressions is on metamask-crypto-phishing."],
  ["#url?u=azukishop.live%0Aevil.example", "Do not open 1 of these 2 links"],
  ["#urn?u=urn:a1:b&v=urn:a1:b", "Equivalent"],
] as const;

test.each(firstOf(2, QUESTIONS))(
  "%s: nothing is pending when this is shown, and not before: %s",
  async (fragment, last) => {
    const { page } = await openPage({
      fragment,
      prepare: async (context) => {
        await context.addInitScript(watchPending);
        // The list arrives after everything else that the page has requested.
        await context.route(/\.list$/, async (route) => {
          if (route.request().serviceWorker() === null) {
            const [opened] = context.pages();
            await opened!.locator("#screen").waitFor();
            await opened!.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
          }
          await route.continue();
        });
      },
    });
    expect(await shownOn(page)).toEqual([expect.stringContaining(last)]);
  },
);

test("a file that is dropped is pending until its rows are shown", async () => {
  const { page } = await openPage({
    prepare: (context) => context.addInitScript(watchPending).then(() => {}),
  });
  const before = (await shownOn(page)).length;
  await dropFile(page, "main", "urls.txt", new TextEncoder().encode("a.example\nb.example\n"));
  await answered(page);
  const after = (await shownOn(page)).slice(before);
  expect(after.at(-1)).toContain("None of these 2 links is listed");
});
