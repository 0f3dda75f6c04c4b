import { isPublicAddress } from "@x/links/node";
import { expect, test } from "vitest";

test.each([
  ["Azure", "168.63.129.16"],
  ["Azure, mapped to IPv6", "::ffff:168.63.129.16"],
  ["Azure, through a translator", "64:ff9b::a83f:8110"],
  ["IBM Cloud", "161.26.0.10"],
  ["IBM Cloud", "166.8.0.1"],
  ["IBM Cloud", "166.11.255.255"],
  ["Alibaba Cloud", "100.100.100.200"],
  ["Oracle", "192.0.0.192"],
  ["most clouds", "169.254.169.254"],
  ["AWS", "fd00:ec2::254"],
  ["Google", "fd20:ce::254"],
  ["Scaleway", "fd00:42::42"],
])("an address at which %s answers only its guests is not public: %s", (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  "127.0.0.1",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "198.18.0.1",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:a00:1",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "2002:7f00:1::",
  "2001:db8::1",
  "2001::1",
  "fc00::1",
  "fd12::1",
  "fe80::1",
  "fe80::1%lo",
  "fec0::1",
  "ff02::1",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  "168.63.129.15",
  "168.63.129.17",
  "161.25.255.255",
  "161.27.0.0",
  "166.7.255.255",
  "166.12.0.0",
])("its neighbour %s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
