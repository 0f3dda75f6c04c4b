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
  "168.63.129.15",
  "168.63.129.17",
  "161.25.255.255",
  "161.27.0.0",
  "166.7.255.255",
  "166.12.0.0",
])("its neighbour %s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
