import { BlockList, isIP } from "node:net";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isBlockingAddress } from "../src/formats/hosts.ts";

const leadNowhere = new BlockList();
leadNowhere.addAddress("0.0.0.0");
leadNowhere.addSubnet("127.0.0.0", 8);
leadNowhere.addAddress("::", "ipv6");
leadNowhere.addAddress("::1", "ipv6");
leadNowhere.addAddress("::ffff:0.0.0.0", "ipv6");
leadNowhere.addAddress("::ffff:127.0.0.1", "ipv6");

test("an address that blocks is an address, and leads nowhere or to the machine itself", () => {
  const numbers = fc.array(fc.constantFrom("0", "127", "1", "01", "255", "256", "00", ""), {
    minLength: 1,
    maxLength: 5,
  });
  const groups = fc.array(fc.constantFrom("0", "", "1", "0000", "00", "00000", "ffff"), {
    minLength: 1,
    maxLength: 9,
  });
  const address = fc.oneof(
    numbers.map((parts) => parts.join(".")),
    groups.map((parts) => parts.join(":")),
    fc.constantFrom("0.0.0.0", "127.0.0.1", "::", "::1", "0::1", "0:0:0:0:0:0:0:1", "127.1.2.3"),
  );
  let blocking = 0;
  fc.assert(
    fc.property(address, (text) => {
      if (!isBlockingAddress(text)) return;
      blocking++;
      const version = isIP(text);
      expect(version, text).not.toBe(0);
      expect(leadNowhere.check(text, version === 4 ? "ipv4" : "ipv6"), text).toBe(true);
    }),
    { seed: 20261128, numRuns: sampleSize(20_000, 2000) },
  );
  expect(blocking).toBeGreaterThan(fewest(500));
});

test.each([
  ...["0.0.0.0", "127.0.0.1", "127.255.0.3", "::", "::1", "::0", "0::0", "0:0:0:0:0:0:0:0"],
  ...["0000:0000:0000:0000:0000:0000:0000:0001", "::ffff:0.0.0.0", "::FFFF:127.0.0.1"],
])("%s blocks", (text) => {
  expect(isBlockingAddress(text)).toBe(true);
});
