import { type Client, createClient, memoryStorage } from "@x/client";
import { memoryStorage as memoryStore, type Publication } from "@x/list-store";
import { expect, test } from "vitest";
import { newSigner, publisher } from "../../list-store/test/support/publishing.ts";

const signer = await newSigner();
const store = memoryStore();
const storage = memoryStorage();
const publish = publisher(store, signer);

const open = (): Client =>
  createClient({
    ...{ protocol: "store", server: "https://lists.example", lists: ["malware"], storage },
    ...{ store: { open: () => store, prefixBytes: 8 }, publicKeys: [signer.publicKey] },
  });

const isListed = (client: Client, url: string) => client.checkLocally(url).verdict === "unsafe";
const PAGE = "http://evil.example/page";

test("a list is looked up as the version that was loaded says", async () => {
  const client = open();
  const publishAll = async (entries: readonly string[], more: Partial<Publication> = {}) => {
    await publish("malware", entries, more);
    await client.update();
  };
  // This publisher does not tell the truth, so that the difference can be seen.
  await publishAll(["evil.example/page", "whole.example/"], { onlyHosts: true });
  expect(isListed(client, PAGE)).toBe(false);
  expect(isListed(client, "http://a.whole.example/page")).toBe(true);
  // After a start, the stored list counts as it did.
  const next = open();
  await next.load();
  expect(isListed(next, PAGE)).toBe(false);
  expect(isListed(next, "http://a.whole.example/page")).toBe(true);
  // The next version has the same entries, but does not say that they are for whole hosts.
  await publishAll(["evil.example/page", "whole.example/"]);
  expect(isListed(client, PAGE)).toBe(true);
  expect([...(await collected(client, [PAGE]))]).toEqual(["unsafe"]);
  // Until it has been updated, the other client keeps the version that it has.
  expect(isListed(next, PAGE)).toBe(false);
  await next.update();
  expect(isListed(next, PAGE)).toBe(true);
  await publishAll(["whole.example/"], { onlyHosts: true });
  expect(isListed(client, PAGE)).toBe(false);
});

async function collected(client: Client, urls: readonly string[]) {
  const verdicts: string[] = [];
  for await (const { verdict } of client.checkMany(urls)) verdicts.push(verdict);
  return verdicts;
}
