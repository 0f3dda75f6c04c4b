import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { apiKey } from "../support/api-key.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { unbound } from "./unbound.js";

const { path, skip } = program("unbound");
const { path: control } = program("unbound-control");

describe("unbound", { skip, timeout: 600_000 }, () => {
  let server;
  let resolver;
  let serving;
  const publish = (...urls) => server.publish({ malware: urls }, "--keep-names", "malware");

  before(async () => {
    server = await urlListServer();
    await publish(
      ...["http://evil.test/", "http://mixed.test/kit/", "http://1.2.3.4/"],
      ...["http://nested.test/", "http://a.b.nested.test/", "http://1.2.3.4.5.nested.test/"],
    );
    const keys = join(server.folder, "keys");
    const key = await apiKey(keys, "malware");
    // With `--wait 2s`, unbound fetches the zone every two seconds.
    serving = ["--keys", keys, "--wait", "2s"];
    await server.start(...serving);
    resolver = await unbound({ path, control, origin: server.origin, key });
    await resolver.follow();
  });
  after(async () => {
    await resolver?.stop();
    await server?.remove();
  });

  test("listed hosts and the hosts below them do not exist, all others do", async () => {
    const urls = [
      "http://evil.test/",
      "https://deep.er.evil.test:8443/any/page",
      "http://EVIL.test./",
      "http://good.test/",
      "http://notevil.test/",
      "http://test/",
      "http://mixed.test/kit/",
      "http://1.2.3.4/",
      "http://[::1]/",
      "http://",
    ];
    const blocked = [true, true, true, false, false, false, false, false, false, false];
    assert.deepEqual(await resolver.blocks(urls), blocked);
  });

  test("a listed host below another one hides no other host", async () => {
    const hosts = [
      "nested",
      "x.nested",
      "b.nested",
      "x.b.nested",
      "x.a.b.nested",
      "x.3.4.5.nested",
    ];
    const urls = [...hosts, "0.1.2.3.4.5.nested"].map((host) => `http://${host}.test/`);
    assert.deepEqual(
      await resolver.blocks(urls),
      urls.map(() => true),
    );
  });

  test("a thousand hosts are answered", async () => {
    const urls = Array.from(
      { length: 1000 },
      (_, i) => `http://${i}.${i % 2 ? "evil" : "good"}.test/`,
    );
    assert.deepEqual(
      await resolver.blocks(urls),
      urls.map((_, i) => i % 2 === 1),
    );
  });

  test("unbound follows an addition and a removal by itself", async () => {
    const urls = ["http://evil.test/", "http://new.test/"];
    await publish("http://evil.test/", "http://new.test/");
    await resolver.follow();
    assert.deepEqual(await resolver.blocks(urls), [true, true]);
    await publish("http://new.test/");
    await resolver.follow();
    assert.deepEqual(await resolver.blocks(urls), [false, true]);
  });

  test("with the server gone, unbound keeps the zone, even when it is restarted", async () => {
    const urls = ["http://new.test/", "http://good.test/"];
    await server.stop();
    assert.deepEqual(await resolver.blocks(urls), [true, false]);
    await resolver.end();
    await resolver.start();
    assert.deepEqual(await resolver.blocks(urls), [true, false]);
    await server.start(...serving);
    await publish("http://later.test/");
    await resolver.follow();
    assert.deepEqual(await resolver.blocks(["http://later.test/", ...urls]), [true, false, false]);
  });

  test("after a withdrawal, nothing is blocked; unbound-control fetches it at once", async () => {
    assert.deepEqual(await resolver.blocks(["http://later.test/"]), [true]);
    await server.withdraw("malware");
    await resolver.update();
    assert.deepEqual(await resolver.blocks(["http://later.test/"]), [false]);
  });
});
