import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dnsAddressesOf } from "../../src/cli/serving/listening.ts";
import { newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

describe("dns-test", () => {
  const set = (name: string, file: string) => ["--set", `dns.${name}=${join(operator.path, file)}`];

  test("shows what happens to names, and why", async () => {
    operator.write("urls.txt", "evil.example", "page.example/bad", "http://1.2.3.4/");
    operator.write("allow.txt", "good.evil.example");
    operator.write("block.txt", "0.0.0.0 own.example", "0.0.0.0 also.example");
    await operator.publish("malware=urls.txt");
    const { stdout, stderr, status } = await operator.run(
      ...["dns-test", "WWW.evil.example.", "a.good.evil.example", "x.own.example"],
      ...["page.example", "bad/evil.example", "1.2.3.4"],
      ...[...set("allow", "allow.txt"), ...set("block", "block.txt")],
    );
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout.trimEnd().split("\n")).toEqual([
      "WWW.evil.example.: blocked by evil.example/ on the list malware",
      "a.good.evil.example: forwarded, because it is in a file of dns.allow",
      "x.own.example: blocked by own.example/ in a file of dns.block",
      "page.example: forwarded, because it is on no list",
      "bad/evil.example: forwarded, because it is on no list",
      "1.2.3.4: blocked by 1.2.3.4/ on the list malware",
    ]);
  });

  test("has another exit status if all names are forwarded", async () => {
    operator.write("block.txt", "own.example");
    const args = [...set("block", "block.txt"), "--config", join(operator.path, "dns.yaml")];
    operator.write("dns.yaml", "log: {}");
    expect(await operator.check("dns-test", "www.example", ...args)).toMatchObject({ status: 0 });
  });

  test("misses a list whose files are gone, but not folders that are no lists", async () => {
    operator.write("urls.txt", "evil.example");
    await operator.publish("malware=urls.txt", "other=urls.txt");
    for (const name of ["empty", ".snap shot"]) mkdirSync(join(operator.path, "lists/lists", name));
    const forwarded = "a.example: forwarded, because ";
    expect((await operator.run("dns-test", "a.example")).stdout).toBe(
      `${forwarded}it is on no list\n`,
    );
    rmSync(join(operator.path, "lists/lists/other"), { recursive: true });
    const { stdout, stderr } = await operator.run("dns-test", "a.example");
    expect(stdout).toBe(`${forwarded}the lists cannot say whether it is listed: list-unknown\n`);
    expect(stderr).toMatch(/The list other is unknown to its server/);
  });

  test("reads the exceptions of filter rules as hosts to allow", async () => {
    operator.write(
      "block.txt",
      "||evil.example^",
      "||both.example^",
      "@@||both.example^",
      "@@||b.evil.example^",
    );
    operator.write("allow.txt", "@@||good.evil.example^");
    operator.write("urls.txt", "another.example");
    await operator.publish("malware=urls.txt");
    const { stdout, stderr } = await operator.run(
      ...["dns-test", "good.evil.example", "b.evil.example", "both.example"],
      ...[...set("allow", "allow.txt"), ...set("block", "block.txt")],
    );
    expect(stdout.trimEnd().split("\n")).toEqual([
      "good.evil.example: forwarded, because it is in a file of dns.allow",
      "b.evil.example: blocked by evil.example/ in a file of dns.block",
      "both.example: forwarded, because it is on no list",
    ]);
    expect(stderr).toMatch(/block\.txt: 1 exception \(@@\) has no effect; to allow these hosts/);
  });

  test("says what a file has that blocks no host", async () => {
    const others = Array.from({ length: 30 }, (_, i) => `h${i}.example`);
    operator.write("block.txt", "own.example", "own.example/page", "not a host", ...others);
    const args = ["own.example", ...set("block", "block.txt")];
    const { stdout, stderr } = await operator.run("dns-test", ...args);
    expect(stdout).toContain("blocked by own.example/");
    expect(stderr).toMatch(/block\.txt: 1 line was refused; line 3: "not a host" is not /);
    expect(stderr).toMatch(/block\.txt: 1 entry is for pages, not for a whole host/);
  });

  test("a file that is missing is an error", async () => {
    const { status, stderr } = await operator.run(
      "dns-test",
      "a.example",
      ...set("allow", "no.txt"),
    );
    expect(status).toBe(2);
    expect(stderr).toContain("no.txt");
  });
});

describe("dns", () => {
  const complaint = async (...args: string[]) => (await operator.run("dns", ...args)).stderr;

  test("needs a resolver", async () => {
    expect(await complaint()).toContain("dns.resolvers: expected the resolvers to ask");
  });

  test.each([
    ["--resolver", "dns.example", "expected an IP address of a resolver"],
    ["--listen", "53", "expected HOST:PORT"],
    ["--listen", "unix:/run/dns", "expected HOST:PORT, because clients ask over UDP and TCP"],
    ["--set", "dns.answer=no", "expected nxdomain, zero, refused, or addresses"],
    ["--set", "dns.clients=10.0.0.0/99", "expected networks, such as"],
    ["--set", "dns.reason=because", "expected one of blocked, censored, filtered"],
  ])("%s %s is refused", async (option, value, expected) => {
    const resolver = option === "--resolver" ? [] : ["--resolver", "127.0.0.1:5"];
    expect(await complaint(...resolver, option, value)).toContain(expected);
  });

  test("needs something to block", async () => {
    const settings = [
      "--set",
      "dns.resolvers=127.0.0.1",
      "--config",
      join(operator.path, "s.yaml"),
    ];
    operator.write("s.yaml", "log: {}");
    const { stderr } = await operator.check("dns", ...settings);
    expect(stderr).toContain("There is nothing to block");
  });
});

test("systemd passes a socket for UDP and one for TCP", () => {
  const dns = { listen: { kind: "tcp", host: "127.0.0.1", port: 53 } } as never;
  const env = { LISTEN_PID: String(process.pid), LISTEN_FDS: "3", LISTEN_FDNAMES: "dns:admin:dns" };
  const at = (descriptor: number) => ({ kind: "inherited", descriptor });
  expect(dnsAddressesOf({ dns, admin: undefined }, env)).toEqual({
    listen: [at(3), at(5)],
    admin: at(4),
  });
  expect(dnsAddressesOf({ dns, admin: undefined }, {})).toMatchObject({ listen: [{ port: 53 }] });
});
