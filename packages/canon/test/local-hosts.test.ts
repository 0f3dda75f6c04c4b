import { BlockList, isIP } from "node:net";
import { parseUrl } from "@x/canon";
import { localHost } from "@x/canon/local-hosts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

function blockList(...ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ranges) {
    list.addSubnet(address, bits, isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
const DEVICE = blockList(["0.0.0.0", 32], ["127.0.0.0", 8], ["::", 127]);
const NETWORK = blockList(
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["fc00::", 7],
  ["fe80::", 10],
);

function placeOf(address: string): string | null {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (DEVICE.check(address, family)) return "device";
  return NETWORK.check(address, family) ? "network" : null;
}

const host = (text: string) => parseUrl(`http://${isIP(text) === 6 ? `[${text}]` : text}/`).host;

describe("addresses are local as the tables of Node say", () => {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 10, 100, 127, 168, 169, 172, 192, 254));
  const second = fc.oneof(
    byte,
    fc.integer({ min: 14, max: 34 }),
    fc.integer({ min: 62, max: 129 }),
  );

  test("of IPv4", { tags: "deep" }, () => {
    const address = fc.tuple(byte, second, byte, byte).map((bytes) => bytes.join("."));
    fc.assert(
      fc.property(address, (text) => {
        expect(localHost(host(text))).toBe(placeOf(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test("of IPv6", { tags: "deep" }, () => {
    const first = fc.oneof(
      fc.integer({ min: 0xfb00, max: 0xffff }),
      fc.nat(0xffff),
      fc.constant(0),
    );
    const rest = fc.array(fc.oneof(fc.constantFrom(0, 1, 2), fc.nat(0xffff)), {
      minLength: 7,
      maxLength: 7,
    });
    fc.assert(
      fc.property(first, rest, (start, groups) => {
        const text = [start, ...groups].map((group) => group.toString(16)).join(":");
        // An IPv6 address that contains an IPv4 address is canonicalized to the IPv4 address.
        fc.pre(isIP(host(text).replace(/^\[|\]$/g, "")) === 6);
        expect(localHost(host(text))).toBe(placeOf(text));
      }),
      { numRuns: 5_000 },
    );
    expect(localHost("[::]")).toBe("device");
    expect(localHost("[::1]")).toBe("device");
  });
});

test.each([
  ["localhost", "device"],
  ["app.localhost", "device"],
  ["localhost.localdomain", "network"],
  ["nas.local", "network"],
  ["nas.home.arpa", "network"],
  ["wiki.internal", "network"],
  ["10.0.0.1.internal", "network"],
  ["notlocalhost", null],
  ["localhost.example", null],
  ["evil.notlocal", null],
  ["in-addr.arpa", null],
  ["10.0.0.1.example.at", null],
  ["local", null],
])("the name %s", (name, place) => {
  expect(localHost(name)).toBe(place);
});
