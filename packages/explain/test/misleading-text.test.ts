import { misleadingText } from "@x/explain/misleading-text";
import { imitations } from "@x/links/look-alikes";
import { expect, test } from "vitest";

const known = { imitations: imitations() };

test.each([
  ["youtube.com/watch?v=a", "https://youtu.be/a"],
  ["facebook.com/a", "https://fb.me/a"],
  ["whatsapp.com", "https://wa.me/123"],
  ["telegram.org", "https://t.me/a"],
  ["twitter.com/a", "https://x.com/a"],
  ["google.com/maps", "https://maps.app.goo.gl/a"],
  ["paypal.com", "https://paypal.me/a"],
  ["amazon.de", "https://www.amazon.com/"],
  ["live.com", "https://login.microsoftonline.com/"],
  ["youtube.com or youtu.be", "https://m.youtube.com/a"],
  ["youtube.com", "https://www.google.com/url?q=https://youtu.be/a"],
])("the text %j does not mislead about %s, a site of the same owner", (text, url) => {
  expect(misleadingText(text, url, known)).toEqual({ shown: null, misleads: null });
  // Only the table says who the owner is.
  expect(misleadingText(text, url).misleads).not.toBe(null);
});

test.each([
  ["google.com", "https://storage.googleapis.com/a.html", "google.com"],
  ["gmail.com", "https://sites.google.com/a", "gmail.com"],
  ["microsoft.com", "https://onedrive.live.com/a", "microsoft.com"],
  ["google.com", "https://goo.gl/a", "google.com"],
  ["amazon.com", "https://amzn.to/a", "amazon.com"],
  ["paypal.com", "https://youtu.be/a", "paypal.com"],
  ["youtube.com and paypal.com", "https://youtu.be/a", "paypal.com"],
  ["youtube.com", "https://youtu.be.evil.example/a", "youtube.com"],
  ["youtube.com", "https://www.google.com/url?q=https://evil.example/", "youtube.com"],
])("the text %j misleads about %s", (shown, url, shows) => {
  expect(misleadingText(shown, url, known)).toMatchObject({ shown, misleads: { shows } });
});

test("nobody can tell whether a text misleads about a link that hides where it leads", () => {
  const url = "https://t.co/a";
  expect(misleadingText("twitter.com/a", url, known)).toEqual(misleadingText("twitter.com/a", url));
});
