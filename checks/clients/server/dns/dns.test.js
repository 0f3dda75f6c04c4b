import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { firefox } from "../firefox/firefox.js";
import { program } from "../support/required-programs.js";
import { sandboxSkip } from "../support/sandbox.js";
import { waitFor } from "../support/wait-for.js";
import { webServer } from "../support/web-server.js";
import {
  ask,
  dnsmasqBefore,
  forwarderBeforeUnbound,
  ownAddress,
  resolved,
  unboundBefore,
  urlhashDns,
  withResolver,
} from "./dns.js";

/* The forwarder with the files of docs/examples/dns, and with programs that ask and answer. */

const missing = ["dig", "kdig", "dnsperf", "unbound", "dnsmasq"]
  .map((name) => program(name).skip)
  .find((skip) => skip !== false);
const HERE = ["127.0.0.1"];

describe("the forwarder in front of unbound", { skip: missing ?? false, timeout: 600_000 }, () => {
  let store;
  let behind;
  let forwarder;
  let stop;
  before(async () => {
    ({ store, behind, forwarder, stop } = await forwarderBeforeUnbound([
      "evil.test",
      "bücher.test",
      "page.test/bad/",
      "later.test",
    ]));
  });
  after(() => stop?.());

  test("dig gets addresses of other names, and no address of listed ones", async () => {
    const { port } = forwarder;
    for (const name of ["good.test", "GOOD.test.", "page.test", "notevil.test", "_dmarc.good.test"])
      assert.deepEqual(await resolved(port, name), HERE, name);
    for (const name of [
      "evil.test",
      "WWW.eViL.test.",
      "a.b.c.d.evil.test",
      "xn--bcher-kva.test",
      "_dmarc.evil.test",
    ])
      assert.equal(await resolved(port, name), "NXDOMAIN", name);
    assert.equal(await resolved(port, "evil.test", "+tcp"), "NXDOMAIN");
    assert.deepEqual(await resolved(port, "good.test", "+tcp"), HERE);
    assert.deepEqual(await resolved(port, "good.test", "+noedns"), HERE);
    assert.equal(await resolved(port, "evil.test", "+noedns"), "NXDOMAIN");
    for (const type of ["AAAA", "HTTPS", "MX", "TXT", "NS", "SOA"])
      assert.equal(await resolved(port, "evil.test", "-t", type), "NXDOMAIN", type);
    assert.equal(await resolved(port, "alias.test"), "NXDOMAIN");
  });

  test("dig and kdig show why", async () => {
    const reason = /EDE: 15 \(Blocked\).*list malware; lists@example\.com/;
    const { port } = forwarder;
    assert.match(await ask("dig", "@127.0.0.1", "-p", port, "evil.test"), reason);
    const printed = await ask("kdig", "@127.0.0.1", "-p", port, "+dnssec", "+tcp", "evil.test");
    assert.match(printed, /status: NXDOMAIN/);
    assert.match(printed, /15 \(Blocked\): 'list malware; lists@example\.com'/);
  });

  test("transfers are refused, and ANY has a short answer", async () => {
    const { port } = forwarder;
    assert.equal(await resolved(port, "good.test", "-c", "CH", "-t", "TXT"), "REFUSED");
    const transfer = await ask("dig", "@127.0.0.1", "-p", port, "good.test", "AXFR");
    assert.match(transfer, /Transfer failed/);
    assert.match(await ask("dig", "@127.0.0.1", "-p", port, "good.test", "ANY"), /"RFC8482"/);
  });

  test("answers are those of the resolver, byte for byte", async () => {
    const plain = (port, ...args) =>
      ask("kdig", "@127.0.0.1", "-p", port, "+noall", "+header", "+answer", "+authority", ...args);
    const withoutId = (text) => text.replace(/id: \d+/, "");
    for (const args of [
      ["good.test", "A"],
      ["+dnssec", "x.good.test", "AAAA"],
      ["+tcp", "good.test", "TXT"],
    ])
      assert.equal(
        withoutId(await plain(forwarder.port, ...args)),
        withoutId(await plain(behind.port, ...args)),
      );
  });

  test("dnsperf gets an answer to every query", async () => {
    const file = join(store.folder, "queries");
    const names = Array.from(
      { length: 20_000 },
      (_, i) => `n${i}.${i % 4 === 0 ? "evil" : "good"}.test A`,
    );
    writeFileSync(file, `${names.join("\n")}\n`);
    for (const mode of ["udp", "tcp"]) {
      const printed = await ask(
        "dnsperf",
        "-s",
        "127.0.0.1",
        "-p",
        forwarder.port,
        "-d",
        file,
        "-n",
        "1",
        "-m",
        mode,
        "-t",
        "30",
      );
      assert.match(printed, /Queries lost:\s+0 /, printed);
      assert.match(printed, /NOERROR 15000 \(75\.00%\), NXDOMAIN 5000 \(25\.00%\)/, printed);
    }
  });

  test("new versions of lists count", async () => {
    assert.deepEqual(await resolved(forwarder.port, "new.test"), HERE);
    await store.publish({ malware: ["evil.test", "bücher.test", "new.test"] });
    await waitFor(
      "the new version",
      async () => (await resolved(forwarder.port, "new.test")) === "NXDOMAIN",
    );
    assert.deepEqual(await resolved(forwarder.port, "later.test"), HERE);
  });

  test("unbound and dnsmasq in front of it block, too", async () => {
    for (const start of [unboundBefore, dnsmasqBefore]) {
      const front = await start(store.folder, forwarder.port);
      try {
        assert.deepEqual(await resolved(front.port, "good.test"), HERE, start.name);
        assert.deepEqual(await resolved(front.port, "good.test", "+tcp"), HERE, start.name);
        assert.equal(await resolved(front.port, "www.evil.test"), "NXDOMAIN", start.name);
      } finally {
        await front.stop();
      }
    }
  });

  test("blocked names can have an address", async () => {
    const options = [
      "--set",
      "dns.answer=[192.0.2.7, 2001:db8::7]",
      "--set",
      `dns.folder=${store.folder}/other`,
    ];
    const other = await urlhashDns({ folder: store.folder, resolver: behind.port, options });
    try {
      assert.deepEqual(await resolved(other.port, "evil.test"), ["192.0.2.7"]);
      assert.deepEqual(await resolved(other.port, "evil.test", "-t", "AAAA"), ["2001:db8::7"]);
      assert.equal(await resolved(other.port, "evil.test", "-t", "MX"), "NOERROR");
    } finally {
      await other.stop();
    }
  });

  const browserSkip = program("firefox-esr").skip || sandboxSkip();
  test("Firefox opens other sites, and not listed ones", { skip: browserSkip }, async () => {
    const address = ownAddress();
    const { folder } = store;
    const options = ["--set", `dns.folder=${folder}/firefox`];
    const own = await urlhashDns({ folder, resolver: behind.port, options, host: address });
    const web = await webServer();
    const path = withResolver(store.folder, program("firefox-esr").path, address);
    const hosts = ["good.test", "www.evil.test"];
    const browser = await firefox({ path, protocol: null, hosts, asksResolver: true });
    try {
      await browser.start();
      assert.equal(await browser.open(web.url("good.test/")), "page");
      await assert.rejects(browser.open(web.url("www.evil.test/")), /NS_ERROR_UNKNOWN_HOST/);
    } finally {
      await browser.remove();
      await web.close();
      await own.stop();
    }
  });
});
