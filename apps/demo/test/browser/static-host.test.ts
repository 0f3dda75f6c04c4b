import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { readStaticFiles } from "../../src/server/static-files.ts";
import { BUILT_PAGE, expectViolations, openPage, textOf, useBrowser } from "./open-page.ts";

useBrowser();

/** A static host that has the page in a folder. */
async function startHost(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const files = await readStaticFiles(BUILT_PAGE);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://host");
    const file = pathname.startsWith(folder) ? files.get(pathname.slice(folder.length)) : undefined;
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "Content-Type": file.headers["Content-Type"] }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}${folder}/`, stop };
}

test("it works from any static host and any folder, with the same policy, even offline", async () => {
  const host = await startHost("/some/where");
  const { page, requests, troubles } = await openPage({ server: host, worksOffline: true });
  expect(requests.filter((request) => !request.startsWith(host.url))).toEqual([]);
  expect(await textOf(page.locator(".engine"))).toContain("WebAssembly");
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
  await page.getByRole("button", { name: "Listed site in disguise" }).click();
  await page.locator(".verdict.listed").waitFor();
});
