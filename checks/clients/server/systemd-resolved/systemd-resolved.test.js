import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forwarderBeforeUnbound, resolved, resolvedBefore } from "../dns/dns.js";
import { program } from "../support/required-programs.js";
import { sandboxSkip } from "../support/sandbox.js";

/* The forwarder behind systemd-resolved, with the file of docs/examples/dns. */

const missing = ["systemd-resolved", "dig", "unbound"]
  .map((name) => program(name).skip)
  .find((skip) => skip !== false);

describe("systemd-resolved in front of the forwarder", {
  skip: missing || sandboxSkip(),
  timeout: 600_000,
}, () => {
  let store;
  let forwarder;
  let stop;
  before(async () => {
    ({ store, forwarder, stop } = await forwarderBeforeUnbound(["evil.test"]));
  });
  after(() => stop?.());

  test("it passes names on, and blocks those that are listed", async () => {
    const front = await resolvedBefore(store.folder, forwarder.port);
    try {
      for (const transport of ["+notcp", "+tcp"]) {
        assert.deepEqual(await resolved(front.port, "good.test", transport), ["127.0.0.1"]);
        assert.equal(await resolved(front.port, "www.evil.test", transport), "NXDOMAIN");
      }
    } finally {
      await front.stop();
    }
  });
});
