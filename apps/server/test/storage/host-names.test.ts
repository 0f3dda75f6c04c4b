import { expressions } from "@x/expressions";
import {
  collectGarbage,
  memoryStorage,
  type Publication,
  readEntry,
  type Storage,
} from "@x/list-store";
import { hostsOf, type NamedHost, readHostNamesIndex } from "@x/list-store/host-names";
import { fullHash } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { Killed, killedAt } from "../../../../packages/list-store/test/support/failing-storage.ts";
import {
  newSigner,
  publisher,
  randomNumbers,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { nameGatherer } from "../../src/publish/gather-names.ts";
import { namesOf } from "../support/named-entries.ts";

const signer = await newSigner();
const lineOf = ({ host, isBelow }: NamedHost) => (isBelow ? `.${host}` : host);
const linesOf = (entries: Iterable<string>) => namesOf(entries).hosts.map(lineOf);

/** Whether a zone has a record for a host, or a wildcard at the closest encloser of the host (RFC 4592 §3.3.1). */
function isInZone(host: string, lines: readonly string[]): boolean {
  const names = lines.map((line) => line.replace(/^\./, ""));
  if (names.includes(host)) return true;
  const labels = host.split(".");
  const above = labels.map((_, i) => labels.slice(i + 1).join("."));
  const exists = (name: string) => names.some((each) => each === name || each.endsWith(`.${name}`));
  return lines.includes(`.${above.find(exists)}`);
}

describe("the names of entries", () => {
  test.each([
    ["evil.example/", ".evil.example"],
    ["a.b.c.d.example/", ".a.b.c.d.example"],
    ["a.b.c.d.e.example/", "a.b.c.d.e.example"],
    ["example/", "example"],
    ["_dmarc.a_b.example/", "._dmarc.a_b.example"],
    ["xn--mller-kva.example/", ".xn--mller-kva.example"],
    [`${"a".repeat(63)}.example/`, `.${"a".repeat(63)}.example`],
    ["host4/", "host4"],
  ])("%s has a name", (entry, line) => {
    expect(linesOf([entry])).toEqual([line]);
  });

  test.each([
    ["evil.example/path/", "paths"],
    ["evil.example/?", "paths"],
    ["1.2.3.4/", "addresses"],
    ["[2001:db8::1]/", "addresses"],
    [`${"a".repeat(64)}.example/`, "unfit"],
    [`${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.example/`, "unfit"],
    ["a%2a.example/", "unfit"],
    ["a..example/", "unfit"],
    ["*.example/", "unfit"],
    ["8.0.0.0.0.rpz-ip/", "unfit"],
    ["32.1.0.0.10.rpz-client-ip/", "unfit"],
    ["ns.example.rpz-nsdname/", "unfit"],
  ] as const)("%s has none, and is counted", (entry, kind) => {
    const { hosts, unnamed } = namesOf([entry]);
    expect(hosts).toEqual([]);
    expect(unnamed).toEqual({ covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: 0, [kind]: 1 });
  });

  test("a host covers the hosts below it in a zone just when it does for clients", () => {
    for (let labels = 1; labels <= 12; labels++) {
      const host = Array.from({ length: labels }, (_, i) => `l${i}`).join(".");
      const { isBelow } = namesOf([`${host}/`]).hosts[0]!;
      expect(expressions(`http://deep.er.${host}/`).includes(`${host}/`)).toBe(isBelow);
    }
  });

  test("a host below another one has none, and the zone blocks what clients block", () => {
    const random = randomNumbers(16);
    const pick = () => "abc"[Math.floor(random() * 3)]!;
    const host = (most: number) =>
      [...Array.from({ length: Math.floor(random() * most) }, pick), "evil.example"].join(".");
    let covered = 0;
    let hidden = 0;
    for (let i = 0; i < 200; i++) {
      const entries = new Set(Array.from({ length: 5 }, () => `${host(7)}/`));
      const names = namesOf(entries);
      covered += names.unnamed.covered;
      const lines = names.hosts.map(lineOf);
      expect(lines.length + names.unnamed.covered).toBe(entries.size);
      const all = [...entries].map((entry) => linesOf([entry])[0]!);
      for (let j = 0; j < 50; j++) {
        const asked = host(9);
        const isListed = expressions(`http://${asked}/`).some((each) => entries.has(each));
        expect(isInZone(asked, lines), `${asked} of ${[...entries].join(" ")}`).toBe(isListed);
        if (isInZone(asked, all) !== isListed) hidden++;
      }
    }
    // If every entry had a record, some hosts would be hidden.
    expect(Math.min(covered, hidden)).toBeGreaterThan(50);
  });

  test("entries count once, and one that is also given as a hash has its name", () => {
    const gatherer = nameGatherer((host) => host === "github.io");
    const add = (entry: string, isNamed = true) =>
      gatherer.add(isNamed ? entry : null, fullHash(entry));
    add("evil.example/", false);
    add("evil.example/");
    add("evil.example/");
    add("evil.example/", false);
    add("github.io/");
    add("only-a-hash.example/", false);
    expect(gatherer.names()).toEqual({
      hosts: [
        { host: "evil.example", isBelow: true },
        { host: "github.io", isBelow: true },
      ],
      publicSuffixes: 1,
      unnamed: { covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: 1 },
    });
  });
});

describe("a store with names", () => {
  const publishNamed = (storage: Storage, entries: readonly string[], options = {}) =>
    publisher(storage, signer)("malware", entries, {
      names: () => namesOf(entries),
      ...options,
    } satisfies Partial<Publication>);
  const hostsAt = async (storage: Storage, version: number) => {
    const { contents } = (await readEntry(storage, "malware", version))!.manifest;
    const hosts: string[] = [];
    for await (const some of hostsOf(storage, await readHostNamesIndex(storage, contents.names!)))
      hosts.push(...some.map(({ host }) => host));
    return hosts;
  };

  test("keeps them when it is told to, and nothing of them otherwise", async () => {
    const storage = memoryStorage();
    const silent = await publisher(storage, signer)("malware", ["evil.example/"]);
    expect(silent.manifest.contents).not.toHaveProperty("names");
    await publishNamed(storage, ["evil.example/", "bad.example/path"]);
    expect(await hostsAt(storage, 2)).toEqual(["evil.example"]);
  });

  test("switching names on or off makes a version that changes nothing for clients", async () => {
    const storage = memoryStorage();
    const entries = ["evil.example/", "bad.example/"];
    const publish = publisher(storage, signer);
    const { manifest: first } = await publish("malware", entries);
    const named = await publishNamed(storage, entries);
    expect(named).toMatchObject({ outcome: "changed", manifest: { version: 2 } });
    expect(named.manifest.change).toMatchObject({ addedEntries: 0, removedEntries: 0 });
    const { names, ...contents } = named.manifest.contents;
    expect(contents).toEqual(first.contents);
    expect((await publishNamed(storage, entries)).outcome).toBe("unchanged");
    const silent = await publish("malware", entries);
    expect(silent).toMatchObject({ outcome: "changed", manifest: { version: 3 } });
    expect(silent.manifest.contents).toEqual(first.contents);
  });

  test("keeps the names of a version that is only signed again", async () => {
    const storage = memoryStorage();
    const { manifest } = await publishNamed(storage, ["evil.example/"]);
    const renewed = await publishNamed(storage, ["evil.example/"], { renewWithin: 1e12 });
    expect(renewed.outcome).toBe("renewed");
    expect(renewed.manifest.contents).toEqual(manifest.contents);
  });

  test("writes no names in a dry run", async () => {
    const storage = memoryStorage();
    const { manifest } = await publishNamed(storage, ["evil.example/"], { dryRun: true });
    expect(manifest.contents.names).toMatch(/^[0-9a-f]{64}$/);
    expect(await storage.list("")).toEqual([]);
  });

  test("garbage collection keeps the names of recent versions alone", async () => {
    const storage = memoryStorage();
    for (let i = 0; i < 4; i++) await publishNamed(storage, [`evil${i}.example/`]);
    const namesAt = async (version: number) =>
      (await readEntry(storage, "malware", version))!.manifest.contents.names!;
    const { base } = await readHostNamesIndex(storage, await namesAt(1));
    const { deleted } = await collectGarbage({
      storage,
      publicKeys: [signer.publicKey],
      keep: 2,
      keepChanges: 4,
      grace: 0,
    });
    for (const hash of [await namesAt(1), ...base.parts, await namesAt(2)]) {
      expect(deleted).toContain(`objects/sha256/${hash.slice(0, 2)}/${hash}`);
    }
    expect(await hostsAt(storage, 3)).toEqual(["evil2.example"]);
    expect(await hostsAt(storage, 4)).toEqual(["evil3.example"]);
  });

  test("a publisher that is killed at any storage operation leaves names that fit the list", async () => {
    const storage = memoryStorage();
    await publishNamed(storage, ["a.example/"]);
    let [kills, version] = [0, 1];
    for (const when of ["before", "after"] as const) {
      for (let operation = 0; ; operation++) {
        const host = `${when}-${operation}.example`;
        const died = await publishNamed(killedAt(storage, operation, when), [`${host}/`]).then(
          () => false,
          (error) => {
            expect(error).toBeInstanceOf(Killed);
            return true;
          },
        );
        await publishNamed(storage, [`${host}/`]);
        expect(await hostsAt(storage, version + 1)).toEqual([host]);
        expect(await readEntry(storage, "malware", version + 2)).toBeNull();
        // One more version corrects the hint, so that the next publisher needs the usual number of operations.
        await publishNamed(storage, ["a.example/"]);
        version += 2;
        if (!died) break;
        kills++;
      }
    }
    expect(kills).toBeGreaterThan(25);
  });
});
