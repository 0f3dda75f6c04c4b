import { isZoneName } from "@x/interop";
import { expect, test } from "vitest";

const longest = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(55)}`;

test.each([
  ["evil.example", true],
  ["_dmarc.evil-.example", true],
  [longest, true],
  [`${longest}c`, false],
  [`${"a".repeat(64)}.example`, false],
  ["evil..example", false],
  ["", false],
  ["EVIL.example", false],
  ["evil%20.example", false],
  ["[::1]", false],
  ["8.0.0.0.0.rpz-ip", false],
  ["rpz-drop", false],
  ["rpz-ip.example", true],
])("whether a zone can hold %s: %s", (host, expected) => {
  expect(isZoneName(host)).toBe(expected);
});

test("a host that is not a string is a TypeError", () => {
  expect(() => isZoneName(null as never)).toThrow("host must be a string, not null");
});
