import * as links from "@x/links";
import * as follow from "@x/links/follow";
import * as lookAlikes from "@x/links/look-alikes";
import * as mail from "@x/links/mail";
import * as node from "@x/links/node";
import * as proxy from "@x/links/proxy";
import * as text from "@x/links/text";
import * as unwrap from "@x/links/unwrap";
import { expect, test } from "vitest";

test.each([
  [
    "@x/links",
    links,
    ["findLinks", "findLinksInStream", "leadsToSite", "linePlaces", "unwrapLink"],
  ],
  ["@x/links/follow", follow, ["FOLLOW_LIMITS", "followLink"]],
  ["@x/links/look-alikes", lookAlikes, ["hostAlikeIn", "imitations", "lookAlikesIn"]],
  ["@x/links/mail", mail, ["findLinksInMail", "markedEncoding", "recognizeMail"]],
  ["@x/links/node", node, ["checkedLookup", "isLoopbackAddress", "isPublicAddress", "publicFetch"]],
  ["@x/links/proxy", proxy, ["environmentProxy", "proxyingDispatcher"]],
  ["@x/links/text", text, ["findLinksInText"]],
  ["@x/links/unwrap", unwrap, ["lookAtUrl", "unwrapLink"]],
])("the exported names of %s", (_name, exported, names) => {
  expect(Object.keys(exported).sort()).toEqual(names);
});

test.each([
  ["http://example.com/", true],
  ["MAILTO:a@example.com", false],
  ["tel:1", false],
  ["cid:part", false],
  ["data:image/png;base64,AA", false],
  ["data:text/html,x", true],
  ["javascript:location='http://evil.example/'", true],
  ["mailto.example.com", true],
])("%s leads to a site: %s", (url, expected) => {
  expect(links.leadsToSite(url)).toBe(expected);
});

test("leadsToSite takes nothing but text", () => {
  for (const value of [undefined, null, 5, ["mailto:a@example.com"], new Uint8Array(1)]) {
    expect(() => links.leadsToSite(value as never)).toThrow(
      expect.objectContaining({ name: "TypeError", message: expect.stringContaining("url") }),
    );
  }
});

test("markedEncoding reads the byte order mark of UTF-16 alone", () => {
  const encodingOf = (...bytes: number[]) => mail.markedEncoding(Uint8Array.from(bytes));
  expect(encodingOf(0xff, 0xfe)).toBe("utf-16le");
  expect(encodingOf(0xfe, 0xff, 0, 0x61)).toBe("utf-16be");
  for (const bytes of [[], [0xff], [0xff, 0xff], [0xef, 0xbb, 0xbf], [0x61, 0xff, 0xfe]]) {
    expect(encodingOf(...bytes)).toBeNull();
  }
  for (const value of [undefined, null, "\xff\xfe", [0xff, 0xfe], new Uint16Array(1)]) {
    expect(() => mail.markedEncoding(value as never)).toThrow(TypeError);
  }
});
