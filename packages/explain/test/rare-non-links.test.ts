import { explainUrl, urlSummary } from "@x/explain";
import { rareText } from "@x/explain/rare-non-links";
import { expect, test } from "vitest";

test.each([
  ["ethereum:0xabc@1", "An “ethereum:” link leads to no site."],
  ["sip:jane@example.org", "A “sip:” link leads to no site."],
  ["SEARCH-MS:query=a b", "A “search-ms:” link leads to no site."],
  ["file://server/share", "This opens a file server, not a web page."],
  ["DE89 3704 0044 0532 0130 00", "This is an account number (IBAN), not a link."],
  ["jane:secret@site.example", "This is a user name and a password, not a link."],
  ["geo:52.5,13.4", "A “geo:” link leads to no site."],
  ["!?", "There is no link in this text."],
  ["example,org", "This is not a URL: it has a comma or a space in its host."],
])("%s", (text, sentence) => {
  expect(rareText(text)?.sentence).toBe(sentence);
});

test.each([
  "file:///etc/hosts",
  "file://localhost/etc/hosts",
  "DE88 3704 0044 0532 0130 00",
  "https://example.org/",
  "example.org",
])("%s is none of them", (text) => {
  expect(rareText(text)).toBeNull();
});

test.each(["mailto:jane@example.org", "tel:+1@example.org", "bitcoin:1Bo@example.org"])(
  "%s has a scheme, and no password",
  (text) => {
    expect(urlSummary(text, explainUrl(text, [])).sentence).toMatch(/ link leads to no site\.$/);
    expect(rareText(text)).toBeNull();
  },
);
