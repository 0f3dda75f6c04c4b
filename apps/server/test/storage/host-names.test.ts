import { expressions } from "@x/expressions";
import {
  collectGarbage,
  memoryStorage,
  type Publication,
  readEntry,
  type Storage,
} from "@x/list-store";
import { readHostNamesIndex, readHosts } from "@x/list-store/host-names";
import { fullHash } from "@x/sha256-prefix";
import { IS_DEEP } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import { putObject } from "../../../../packages/list-store/src/objects.ts";
import { Killed, killedAt } from "../../../../packages/list-store/test/support/failing-storage.ts";
import {
  newSigner,
  publisher,
  randomNumbers,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { nameGatherer } from "../../src/publish/gather-names.ts";
import { namesOf } from "../support/named-entries.ts";

const signer = await newSigner();
const textOf = (entries: Iterable<string>) =>
  namesOf(entries).parts.map((part) => Buffer.from(part).toString());

/** Whether a zone has a record for a host, or a wildcard at its closest encloser (RFC 4592 §3.3.1). */
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
    ["evil.example/", ".evil.example\n"],
    ["a.b.c.d.example/", ".a.b.c.d.example\n"],
    ["a.b.c.d.e.example/", "a.b.c.d.e.example\n"],
    ["example/", "example\n"],
    ["_dmarc.a_b.example/", "._dmarc.a_b.example\n"],
    ["xn--mller-kva.example/", ".xn--mller-kva.example\n"],
    [`${"a".repeat(63)}.example/`, `.${"a".repeat(63)}.example\n`],
    ["host4/", "host4\n"],
  ])("%s has a name", (entry, text) => {
    expect(textOf([entry])).toEqual([text]);
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
    const { parts, unnamed } = namesOf([entry]);
    expect(Buffer.concat(parts).length).toBe(0);
    expect(unnamed).toEqual({ covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: 0, [kind]: 1 });
  });

  test("a host covers the hosts below it in a zone just when it does for clients", () => {
    for (let labels = 1; labels <= 12; labels++) {
      const host = Array.from({ length: labels }, (_, i) => `l${i}`).join(".");
      const isBelow = textOf([`${host}/`])[0]!.startsWith(".");
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
      const names = namesOf(entries, 2);
      covered += names.unnamed.covered;
      const lines = Buffer.concat(names.parts).toString().split("\n").slice(0, -1);
      expect(lines.length + names.unnamed.covered).toBe(entries.size);
      const all = [...entries].map((entry) => textOf([entry])[0]!);
      for (let j = 0; j < 50; j++) {
        const asked = host(9);
        const isListed = expressions(`http://${asked}/`).some((each) => entries.has(each));
        expect(isInZone(asked, lines), `${asked} of ${[...entries].join(" ")}`).toBe(isListed);
        if (isInZone(asked, all) !== isListed) hidden++;
      }
    }
    // With a record for every entry, some hosts would be hidden.
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
    const { below, publicSuffixes, unnamed } = gatherer.names(0);
    expect({ below, publicSuffixes, unnamed }).toEqual({
      below: { hosts: 2, bytes: 21 },
      publicSuffixes: 1,
      unnamed: { covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: 1 },
    });
  });

  test.each(IS_DEEP ? [1, 2, 3] : [1])(
    "are the same in any order, and in shards, seed %i",
    (seed) => {
      const random = randomNumbers(seed);
      // Enough for several pieces of memory.
      const hosts = Array.from(
        { length: 25_000 },
        () => `${"l".repeat(Math.floor(random() * 40))}x${Math.floor(random() * 15_000)}.example/`,
      );
      const names = namesOf(hosts, 3);
      const { parts, ...others } = namesOf([...hosts].reverse(), 3);
      expect({ ...others, parts: names.parts }).toEqual(names);
      // `toEqual` would compare the bytes one by one, which takes seconds.
      expect(parts.map((part, i) => Buffer.compare(part, names.parts[i]!))).toEqual(
        names.parts.map(() => 0),
      );
      const expected = [...new Set(hosts)].map((entry) => `.${entry.slice(0, -1)}`);
      const found = names.parts.flatMap((part, number) => {
        const lines = Buffer.from(part).toString().trimEnd().split("\n");
        expect(lines).toEqual([...lines].sort());
        const numbers = lines.map((line) => fullHash(`${line.slice(1)}/`)[0]! >> 5);
        expect(new Set(numbers)).toEqual(new Set([number]));
        return lines;
      });
      expect(found.sort()).toEqual(expected.sort());
      expect(names.below).toEqual({
        hosts: expected.length,
        bytes: expected.reduce((sum, line) => sum + line.length - 1, 0),
      });
    },
  );
});

describe("a store with names", () => {
  const publishNamed = (storage: Storage, entries: readonly string[], options = {}) =>
    publisher(storage, signer)("malware", entries, {
      names: (bits) => namesOf(entries, bits),
      ...options,
    } satisfies Partial<Publication>);
  const hostsOf = async (storage: Storage, version: number) => {
    const { contents } = (await readEntry(storage, "malware", version))!.manifest;
    const { shards } = await readHostNamesIndex(storage, contents.names!);
    const hosts = await Promise.all(shards.map((shard) => readHosts(storage, shard)));
    return hosts.flat().map(({ host }) => host);
  };

  test("keeps them when it is told to, and nothing of them otherwise", async () => {
    const storage = memoryStorage();
    const silent = await publisher(storage, signer)("malware", ["evil.example/"]);
    expect(silent.manifest.contents).not.toHaveProperty("names");
    await publishNamed(storage, ["evil.example/", "bad.example/path"]);
    expect(await hostsOf(storage, 2)).toEqual(["evil.example"]);
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
    const { shards } = await readHostNamesIndex(storage, await namesAt(1));
    const { deleted } = await collectGarbage({
      storage,
      publicKeys: [signer.publicKey],
      keep: 2,
      keepChanges: 4,
      grace: 0,
    });
    for (const hash of [await namesAt(1), ...shards, await namesAt(2)]) {
      expect(deleted).toContain(`objects/sha256/${hash.slice(0, 2)}/${hash}`);
    }
    expect(await hostsOf(storage, 3)).toEqual(["evil2.example"]);
    expect(await hostsOf(storage, 4)).toEqual(["evil3.example"]);
  });

  test.each([
    "{}",
    "[]",
    "null",
    '{"shards":["x"]}',
    '{"shards":[],"below":{"hosts":-1,"bytes":0}}',
    "\xff",
  ])("an index that reads %j is damaged", async (text) => {
    const storage = memoryStorage();
    const { manifest } = await publishNamed(storage, ["evil.example/"]);
    const bytes = Buffer.from(text, "latin1");
    const hash = await putObject(storage, bytes);
    await expect(readHostNamesIndex(storage, hash)).rejects.toMatchObject({
      code: "damaged",
    });
    const { names } = manifest.contents;
    await storage.put(`objects/sha256/${names!.slice(0, 2)}/${names}`, bytes);
    await expect(readHostNamesIndex(storage, names!)).rejects.toMatchObject({ code: "damaged" });
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
        expect(await hostsOf(storage, version + 1)).toEqual([host]);
        expect(await readEntry(storage, "malware", version + 2)).toBeNull();
        // One more version, so that the hint is right again and the next publisher needs no more operations.
        await publishNamed(storage, ["a.example/"]);
        version += 2;
        if (!died) break;
        kills++;
      }
    }
    expect(kills).toBeGreaterThan(25);
  });
});
