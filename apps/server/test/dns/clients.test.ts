import { expect, test } from "vitest";
import { messagesIn, parseResolver, withLength } from "../../src/dns/channels.ts";
import { createClients, PRIVATE_NETWORKS, parseNetwork } from "../../src/dns/clients.ts";

test("only clients in the networks are answered", () => {
  const { admit } = createClients({ networks: PRIVATE_NETWORKS, rate: 10 });
  for (const address of ["10.1.2.3", "192.168.0.1", "::ffff:10.0.0.1", "fe80::1%eth0", "fd00::5"])
    expect(admit(address, "udp").kind, address).toBe("welcome");
  for (const address of ["8.8.8.8", "::ffff:8.8.8.8", "2001:db8::1", "172.32.0.1", ""])
    expect(admit(address, "udp").kind, address).toBe("stranger");
});

test("programs on this machine are always answered", () => {
  const { admit } = createClients({ networks: [], rate: 1 });
  for (let i = 0; i < 100; i++) {
    expect([admit("127.0.0.1", "udp").kind, admit("::1", "udp").kind]).toEqual([
      "welcome",
      "welcome",
    ]);
  }
});

test("a client has a number of queries in a second, with its whole network", () => {
  let time = 0;
  const { admit } = createClients({ networks: PRIVATE_NETWORKS, rate: 3, now: () => time });
  const kinds = (address: string) => [1, 2, 3, 4].map(() => admit(address, "udp").kind);
  const used = ["welcome", "welcome", "welcome", "too-fast"];
  expect(kinds("10.0.0.1")).toEqual(used);
  expect(kinds("10.0.0.2")).toEqual(used);
  expect(kinds("fd00::1")).toEqual(used);
  expect(admit("fd00::2", "udp").kind).toBe("too-fast");
  time = 334;
  expect(admit("10.0.0.1", "udp").kind).toBe("welcome");
  expect(admit("10.0.0.1", "udp").kind).toBe("too-fast");
  time = 60_000;
  expect(kinds("10.0.0.1")).toEqual(used);
});

test("queries over UDP, which anybody can forge, do not keep a client from asking over TCP", () => {
  const { admit } = createClients({ networks: PRIVATE_NETWORKS, rate: 1, now: () => 0 });
  const kinds = (transport: "udp" | "tcp") => [1, 2].map(() => admit("10.0.0.1", transport).kind);
  expect(kinds("udp")).toEqual(["welcome", "too-fast"]);
  expect(kinds("tcp")).toEqual(["welcome", "too-fast"]);
});

test("many clients take little memory, and all are limited", () => {
  const { admit } = createClients({ networks: PRIVATE_NETWORKS, rate: 1, now: () => 0 });
  const addresses = Array.from(
    { length: 200_000 },
    (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
  );
  const before = process.memoryUsage().heapUsed;
  for (const address of addresses) admit(address, "udp");
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(80e6);
  expect(admit(addresses.at(-1)!, "udp").kind).toBe("too-fast");
});

test.each([
  ["10.0.0.0/8", { address: "10.0.0.0", prefix: 8 }],
  ["192.0.2.1", { address: "192.0.2.1", prefix: 32 }],
  ["2001:db8::/32", { address: "2001:db8::", prefix: 32 }],
  ["10.0.0.0/33", null],
  ["10.0.0/8", null],
  ["example.com", null],
  ["::/129", null],
])("the network %s", (text, expected) => {
  expect(parseNetwork(text)).toEqual(expected);
});

test.each([
  ["192.0.2.53", { host: "192.0.2.53", port: 53 }],
  ["192.0.2.53:5353", { host: "192.0.2.53", port: 5353 }],
  ["2001:db8::53", { host: "2001:db8::53", port: 53 }],
  ["[2001:db8::53]:5353", { host: "2001:db8::53", port: 5353 }],
  ["[2001:db8::53]", { host: "2001:db8::53", port: 53 }],
  ["dns.example", null],
  ["192.0.2.53:0", null],
  ["192.0.2.53:65536", null],
  ["[192.0.2.53", null],
])("the resolver %s", (text, expected) => {
  expect(parseResolver(text)).toEqual(expected);
});

test("messages are read from pieces of any length", () => {
  const messages = [0, 1, 2, 300, 4096].map((length) => Buffer.alloc(length, 7));
  const bytes = Buffer.concat(messages.map(withLength));
  for (const piece of [1, 2, 3, 299, 5000]) {
    const found: Buffer[] = [];
    const read = messagesIn(4096, (message) => found.push(message));
    for (let at = 0; at < bytes.length; at += piece) {
      expect(read(bytes.subarray(at, at + piece))).toBe(true);
    }
    expect(found).toEqual(messages);
  }
  expect(messagesIn(4096, () => {})(Buffer.from([0x10, 0x01]))).toBe(false);
});
