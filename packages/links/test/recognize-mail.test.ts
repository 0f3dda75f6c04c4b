import { findLinksInMail, recognizeMail } from "@x/links/mail";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { expect, test } from "vitest";

const HEADERS = "Received: by a.example\r\n\tfor b@a.example\r\nSubject: x\r\n";
const FROM_LINE = "From bob@a.example Sat Jan  3 01:05:34 1996\r\n";

test.each([
  ["mail", `${HEADERS}\r\nbody`],
  ["mail", HEADERS.replaceAll("\r\n", "\n")],
  ["mail", HEADERS.replaceAll("\r\n", "\r")],
  ["mail", "X-A: 1\nX-B: 2\nsubject: x\nno header\nContent-Type : text/html\n\n"],
  ["mbox", `${FROM_LINE}${HEADERS}\r\nbody`],
  ["neither", "From now on,\nsee http://a.example/\n"],
  ["neither", `${FROM_LINE}no header\n${HEADERS}`],
  ["neither", `see:\n${HEADERS.slice(0, 20)}\n\nSubject: x\nDate: y`],
  ["neither", "Subject: x\n\nDate: y\nFrom: z"],
  ["neither", `no header\n${HEADERS}`],
  ["neither", `\n${HEADERS}`],
  ["neither", `${"INFO: x\n".repeat(20)}${HEADERS}`],
  ["neither", "<p>From: x</p>\nDate: y"],
  ["neither", "http://a.example/\nhttp://b.example/\n"],
  ["neither", ""],
])("%s: %j", (expected, text) => {
  expect(recognizeMail(text)).toBe(expected);
  // The result may be `"unknown"` at first, but stays the same once it is known.
  let isKnown = false;
  for (let length = 0; length <= text.length; length++) {
    const soFar = recognizeMail(text.slice(0, length), false);
    if (isKnown || soFar !== "unknown") expect(soFar).toBe(expected);
    isKnown = soFar !== "unknown";
  }
});

test("linear time", () => {
  for (const piece of [" \n", "A: b\n", "a", "Date: x\n", "A\n"]) {
    expectLinearGrowth(
      (text: string) => recognizeMail(text),
      (length) => `Date: x\n${piece.repeat(Math.ceil(length / piece.length))}`,
    );
  }
});

test("lines among the headers of an email that are no headers are searched", async () => {
  const mail = `${FROM_LINE}Subject: x\r\nsee http://evil.example/a\r\nwww.evil.com\r\nDate: y\r\n\r\nz`;
  const { links } = await findLinksInMail(mail);
  expect(links.map(({ url, part, where }) => [url, part, where])).toEqual([
    ["http://evil.example/a", ["header"], "header"],
    ["http://www.evil.com", ["header"], "header"],
  ]);
});
