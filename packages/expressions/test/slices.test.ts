import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import { expressions } from "@x/expressions";
import { MAX_EXPRESSIONS, sliceExpressions } from "@x/expressions/slices";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const label = fc.constantFrom("a", "b", "c-d", "www", "xn--e1a");
const url = fc
  .tuple(
    fc.array(label, { minLength: 1, maxLength: 9 }),
    fc.array(fc.constantFrom("x", "y.z", "1"), { maxLength: 9 }),
    fc.constantFrom("", "/"),
    fc.constantFrom("", "?", "?q=/a/b", "??"),
  )
  .map(([labels, folders, end, query]) => {
    const path = folders.length > 0 ? `/${folders.join("/")}${end}` : "/";
    // `verifyCanonical` does not accept a host whose top-level domain is an IDN.
    const host = labels.join(".").replace(/xn--e1a$/, "xn--e1a.a");
    return `http://${host}${path}${query}`;
  });
const UNWRITTEN = 0xffff_ffff;
const registrableDomain = (host: string) =>
  host.includes("b") ? host.slice(host.lastIndexOf("b")) : null;

describe("sliceExpressions refuses arguments that are out of range", () => {
  const bytes = new TextEncoder().encode("http://a.b.c/1?q");
  const spans: CanonicalSpans = { hostType: "domain", host: 7, path: 12, query: 14, end: 16 };

  test("too little room in either array", () => {
    const room = new Uint32Array(5);
    const enough = new Uint32Array(6);
    const error = new RangeError("at must be at most -1, not 0");
    expect(sliceExpressions(bytes, spans, {}, enough, new Uint32Array(6), 0)).toBe(6);
    expect(() => sliceExpressions(bytes, spans, {}, room, enough, 0)).toThrow(error);
    expect(() => sliceExpressions(bytes, spans, {}, enough, room, 0)).toThrow(error);
    expect(() => sliceExpressions(bytes, spans, {}, enough, enough, 1)).toThrow(
      new RangeError("at must be at most 0, not 1"),
    );
  });

  test("spans that end after the bytes, as when the bytes are detached", () => {
    const detached = bytes.slice();
    structuredClone(detached, { transfer: [detached.buffer] });
    const room = new Uint32Array(30);
    const registrableDomain = () => "b.c";
    expect(() => sliceExpressions(detached, spans, { registrableDomain }, room, room, 0)).toThrow(
      new RangeError("spans.end must be at most 0, not 16"),
    );
  });
});

test("slices of bytes are the expressions, wherever the URL is in the buffer", () => {
  let most = 0;
  fc.assert(
    fc.property(url, fc.nat(20), fc.nat(5), fc.boolean(), (text, before, at, byDomain) => {
      const options = byDomain ? { registrableDomain } : {};
      const bytes = new TextEncoder().encode(`${"./?".repeat(7).slice(0, before)}${text}/.?`);
      const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
      expect(verifyCanonical(bytes, before, before + text.length, spans)).toBe(true);

      const starts = new Uint32Array(at + MAX_EXPRESSIONS + 1).fill(UNWRITTEN);
      const ends = new Uint32Array(at + MAX_EXPRESSIONS + 1).fill(UNWRITTEN);
      const count = sliceExpressions(bytes, spans, options, starts, ends, at);
      for (const written of [starts, ends]) {
        const others = [...written.subarray(0, at), ...written.subarray(at + count)];
        expect(others.every((value) => value === UNWRITTEN)).toBe(true);
      }
      const slices = Array.from({ length: count }, (_, i) =>
        new TextDecoder().decode(bytes.subarray(starts[at + i], ends[at + i])),
      );
      expect(slices).toEqual(expressions(text, options));
      most = Math.max(most, count);
    }),
    { seed: 20261121, numRuns: sampleSize(3000) },
  );
  expect(most).toBe(MAX_EXPRESSIONS);
});
