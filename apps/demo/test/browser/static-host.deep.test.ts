import { expect, test } from "vitest";
import { BUILT_PAGE, expectViolations, openPage, useBrowser } from "./open-page.ts";
import { startStaticHost } from "./start-static-host.ts";

useBrowser();

test("it works from any static host and any folder, with the same policy, even offline", async () => {
  const host = await startStaticHost(BUILT_PAGE, "/some/where");
  const { page, requests, troubles } = await openPage({ server: host, worksOffline: true });
  expect(requests.filter((request) => !request.startsWith(host.url))).toEqual([]);
  const refused = await page.evaluate(() =>
    fetch("https://example.com/").then(
      () => false,
      () => true,
    ),
  );
  expect(refused).toBe(true);
  await expectViolations(troubles, ["connect-src https://example.com/"]);
  await host.stop();
  await page.reload();
  await page.getByText("More examples").click();
  await page.getByRole("button", { name: "Listed site in disguise" }).click();
  await page.locator(".verdict.listed").waitFor();
});
