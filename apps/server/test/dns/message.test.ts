import { fewest, sampleSize } from "@x/test-support/sample-size";
import packet, { type Answer, type DecodedPacket } from "dns-packet";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  anyAnswer,
  type BlockedAnswer,
  blockedAnswer,
  failedAnswer,
  parseBlockedAnswer,
  refusedAnswer,
  truncatedAnswer,
} from "../../src/dns/answers.ts";
import {
  hostOfName,
  isAnswerTo,
  isSigned,
  nameBytes,
  type Query,
  readQuery,
  targetHosts,
} from "../../src/dns/message.ts";
import { edns, honestAnswer, query, questionEnd } from "../support/dns.ts";

const SEED = 20261129;

function read(message: Buffer): Query {
  const found = readQuery(message);
  if (found?.kind !== "query") throw new Error(`no query: ${JSON.stringify(found)}`);
  return found;
}

describe("hosts in names", () => {
  test.each([
    ["example.com", "example.com"],
    ["EXAMPLE.com.", "example.com"],
    ["_dmarc.example.com", "_dmarc.example.com"],
    ["bücher.example", "bücher.example"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["a/b.evil.example", "evil.example"],
    ["x@a.b.c.d.e.example", "b.c.d.e.example"],
    ["a b.com", null],
    ["evil.example:80", null],
    ["a.b#", null],
    ["\\097\\x.evil.example", "ax.evil.example"],
    ["a\\.b.evil.example", "evil.example"],
    ["a\\046b.evil.example.", "evil.example"],
    ["b\\195\\188cher.example", "bücher.example"],
    ["\\255.bücher.example", "bücher.example"],
    ["a|b.4294967296.bücher.example", "4294967296.bücher.example"],
  ])("%s gives %s", (name, host) => {
    expect(hostOfName(name)).toBe(host);
  });

  test("a dot inside a label is no border between labels", () => {
    const name = Buffer.from("\x0cevil.example\x01b\x03com\0", "latin1");
    const message = Buffer.concat([query("x").subarray(0, 12), name, Buffer.from([0, 1, 0, 1])]);
    expect(read(message).host).toBe("b.com");
  });

  test("the root is no host", () => {
    expect(read(query(".")).host).toBeNull();
  });

  test("the longest name is read, and longer ones are refused", () => {
    const longest = [...Array(3).fill("a".repeat(63)), "b".repeat(61)].join(".");
    expect(read(query(longest)).host).toBe(longest);
    expect(readQuery(query(`${longest}c`))).toMatchObject({ kind: "refused", rcode: 1 });
    expect(nameBytes(`${longest}c`)).toBeNull();
  });
});

test.each(["", ".", "a..b", ".a", "a\\", "a\\25", "a\\256b", "a\\25b"])("%s is no name", (text) => {
  expect(nameBytes(text)).toBeNull();
});

describe("queries", () => {
  test("the longest answer over UDP follows from EDNS", () => {
    expect(read(query("a.example"))).toMatchObject({ udpBytes: 512, ednsAt: 0 });
    expect(read(query("a.example", edns(100))).udpBytes).toBe(512);
    expect(read(query("a.example", edns(700))).udpBytes).toBe(700);
    expect(read(query("a.example", edns(4096))).udpBytes).toBe(1232);
  });

  test.each([
    ["an answer", 2, 0x81, null],
    ["an update", 2, 0x28, 4],
    ["a query with two questions", 5, 2, 1],
    ["a query without a question", 5, 0, 1],
    ["a query with an answer", 7, 1, 1],
    ["a query with an authority", 9, 1, 1],
    ["two EDNS records", 11, 2, 1],
    ["another class", 26, 3, 5],
    ["a transfer", 24, 252, 5],
    ["a pointer in the question", 12, 0xc0, 1],
  ])("%s is not forwarded", (_, index, byte, rcode) => {
    const message = query("a.example", edns(4096));
    message[index] = byte;
    const found = readQuery(message);
    if (rcode === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ kind: "refused", rcode });
  });

  test("bytes after the last record are refused", () => {
    const message = Buffer.concat([query("a.example"), Buffer.alloc(1)]);
    expect(readQuery(message)).toMatchObject({ kind: "refused", rcode: 1 });
  });

  test("less than a header is not answered", () => {
    for (let length = 0; length < 12; length++) {
      expect(readQuery(query("a.example").subarray(0, length))).toBeNull();
    }
  });
});

const word = fc.string({ unit: fc.constantFrom(..."abcXYZ019-_"), minLength: 1, maxLength: 12 });
const name = fc.array(word, { minLength: 1, maxLength: 6 }).map((labels) => labels.join("."));
const type = fc.constantFrom("A", "AAAA", "MX", "TXT", "NS", "SRV", "CAA", "SOA", "DS");

test("queries are read as dns-packet reads them", () => {
  const payload = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: null });
  fc.assert(
    fc.property(name, type, payload, (name, kind, payload) => {
      const message = query(name, { kind, ...(payload === null ? {} : edns(payload)) });
      const [question] = packet.decode(message).questions!;
      const found = read(message);
      expect(found.host).toBe(question!.name.toLowerCase());
      expect(found.questionEnd).toBe(questionEnd(message));
      expect(found.ednsAt === 0).toBe(payload === null);
      if (payload !== null && payload > 0) expect(message.readUInt16BE(found.ednsAt)).toBe(payload);
    }),
    { seed: SEED, numRuns: sampleSize(5000) },
  );
});

/** The names that an answer leads to, as `dns-packet` reads them. */
function plainTargets({ answers = [] }: DecodedPacket): string[] {
  const targets = answers.flatMap((answer) =>
    answer.type === "CNAME" || answer.type === "DNAME" ? [answer.data.toLowerCase()] : [],
  );
  return [...new Set(targets)].filter((each) => each !== ".");
}

/** Replaces the name in the data of the last record by a pointer to the question. */
function withPointer(message: Buffer, data: string): Buffer {
  const end = message.length - (data.length + 2);
  const short = Buffer.concat([message.subarray(0, end), Buffer.from([0xc0, 0x0c])]);
  short.writeUInt16BE(2, end - 2);
  return short;
}

test("the targets of answers are read as dns-packet reads them", () => {
  const seen = { none: 0, some: 0, pointer: 0 };
  const record = fc.oneof(
    fc.record({ type: fc.constantFrom("CNAME", "DNAME"), name, data: name }),
    fc.record({ type: fc.constant("A"), name, data: fc.constant("192.0.2.1") }),
    fc.record({ type: fc.constant("TXT"), name, data: fc.constant(["CNAME"]) }),
    fc.record({
      ...{ type: fc.constant("MX"), name },
      data: fc.record({ preference: fc.constant(5), exchange: name }),
    }),
  );
  fc.assert(
    fc.property(
      name,
      fc.array(record, { maxLength: 5 }),
      fc.boolean(),
      (asked, answers, points) => {
        const question = query(asked);
        const last = answers.at(-1);
        let message = honestAnswer(question, answers as Answer[]);
        if (points && last?.type === "CNAME") {
          message = withPointer(message, last.data as string);
          seen.pointer++;
        }
        const expected = plainTargets(packet.decode(message));
        expect(targetHosts(message, questionEnd(question))).toEqual(expected);
        seen[expected.length === 0 ? "none" : "some"]++;
      },
    ),
    { seed: SEED, numRuns: sampleSize(5000) },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(200));
});

test("an answer of an HTTPS record leads to the host of its service", () => {
  const question = query("a.example", { kind: "HTTPS" });
  const data = Buffer.concat([Buffer.from([0, 1]), nameBytes("cdn.evil.example")!]);
  const record = Buffer.from([0xc0, 0x0c, 0, 65, 0, 1, 0, 0, 0, 60, 0, data.length]);
  const answer = Buffer.concat([question, record, data]);
  answer[2]! |= 0x80;
  answer[7] = 1;
  expect(targetHosts(answer, questionEnd(question))).toEqual(["cdn.evil.example"]);
});

test("an answer with very many records that lead elsewhere is unreadable", () => {
  const question = query("a.example");
  const leading = (count: number) =>
    honestAnswer(
      question,
      Array.from({ length: count }, (_, i) => ({
        ...{ type: "CNAME", name: "a.example", data: `n${i}.example` },
      })),
    );
  expect(targetHosts(leading(64), questionEnd(question))).toHaveLength(64);
  expect(targetHosts(leading(65), questionEnd(question))).toBeNull();
});

test.each([
  ["a loop", [0xc0, 0x28]],
  ["a pointer ahead", [0xff, 0xff]],
  ["a label that does not end", [0x3f, 0x61]],
  ["a wrong kind of label", [0x80, 0x00]],
])("a target with %s makes an answer unreadable", (_, bytes) => {
  const question = query("a.example");
  const record = Buffer.from([0xc0, 0x0c, 0, 5, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]);
  const answer = Buffer.concat([question, record]);
  answer[7] = 1;
  expect(targetHosts(answer, questionEnd(question))).toBeNull();
});

test("only the answer to the question counts as one", () => {
  const asked = query("a.example");
  const is = (answer: Buffer) => isAnswerTo(answer, asked, questionEnd(asked));
  const honest = honestAnswer(asked);
  expect(is(honest)).toBe(true);
  expect(is(Buffer.from(honest.toString("latin1").replace("example", "eXAMPLE"), "latin1"))).toBe(
    true,
  );
  expect(is(asked)).toBe(false);
  expect(is(honestAnswer(query("b.example")))).toBe(false);
  expect(is(honestAnswer(query("a.example", { kind: "AAAA" })))).toBe(false);
  for (let length = 0; length < questionEnd(asked); length++) {
    expect(is(honest.subarray(0, length))).toBe(false);
  }
});

describe("answers about blocked names", () => {
  const error = { code: 15, text: "list malware; lists@example.com" };
  const answerTo = (blocked: BlockedAnswer, kind: string, more = edns(1232)) => {
    const message = query("Evil.Example", { kind, ...more });
    const answer = blockedAnswer(message, read(message), blocked, 60, error);
    expect(answer.subarray(12, questionEnd(message))).toEqual(
      message.subarray(12, questionEnd(message)),
    );
    return packet.decode(answer);
  };
  const addresses = parseBlockedAnswer(["192.0.2.9", "2001:db8::9"])!;
  const zero = parseBlockedAnswer(["zero"])!;
  const told = ({ rcode, answers, authorities }: DecodedPacket & { rcode?: string }) => [
    rcode,
    answers!.map((each) => (each as { data: unknown }).data),
    authorities!.map((each) => each.type),
  ];

  test.each([
    ["nxdomain", "A", ["NXDOMAIN", [], ["SOA"]]],
    ["refused", "A", ["REFUSED", [], []]],
    [zero, "A", ["NOERROR", ["0.0.0.0"], []]],
    [zero, "AAAA", ["NOERROR", ["::"], []]],
    [zero, "HTTPS", ["NOERROR", [], ["SOA"]]],
    [addresses, "A", ["NOERROR", ["192.0.2.9"], []]],
    [addresses, "AAAA", ["NOERROR", ["2001:db8::9"], []]],
    [parseBlockedAnswer(["192.0.2.9"])!, "AAAA", ["NOERROR", [], ["SOA"]]],
  ] as const)("%j for %s", (blocked, kind, expected) => {
    expect(told(answerTo(blocked, kind))).toEqual(expected);
  });

  test("have the reason, for clients with EDNS", () => {
    const [opt] = answerTo("nxdomain", "A").additionals as unknown as {
      options: { code: number; data: Buffer }[];
    }[];
    const { code, data } = opt!.options[0]!;
    expect([code, data.readUInt16BE(0), data.toString("utf8", 2)]).toEqual([15, 15, error.text]);
    expect(answerTo("nxdomain", "A", {}).additionals).toEqual([]);
  });

  test("have as much of a long reason as fits into an answer over UDP", () => {
    const name = [...Array(3).fill("a".repeat(63)), "b".repeat(61)].join(".");
    for (const [bytes, text] of [
      [512, "ü".repeat(600)],
      [512, `x${"😀".repeat(300)}`],
      [1232, "y"],
    ] as const) {
      const message = query(name, edns(bytes));
      const answer = blockedAnswer(message, read(message), "nxdomain", 60, { code: 15, text });
      expect(answer.length).toBeLessThanOrEqual(bytes);
      expect(answer.length).toBeGreaterThan(text === "y" ? 0 : bytes - 4);
      const [opt] = packet.decode(answer).additionals as unknown as {
        options: { data: Buffer }[];
      }[];
      const told = opt!.options[0]!.data.toString("utf8", 2);
      expect(told.length).toBeGreaterThan(0);
      expect(text.startsWith(told)).toBe(true);
    }
  });

  test("other words are no answer", () => {
    for (const words of [[], ["nx"], ["zero", "zero"], ["192.0.2.9", "refused"], ["192.0.2"]]) {
      expect(parseBlockedAnswer(words)).toBeNull();
    }
  });
});

test("all other answers can be read", () => {
  const message = query("a.example", edns(1232));
  const found = read(message);
  const rcodeOf = (answer: Buffer) => (packet.decode(answer) as { rcode?: string }).rcode;
  expect(rcodeOf(failedAnswer(message, found, { code: 22, text: "x" }))).toBe("SERVFAIL");
  expect(packet.decode(truncatedAnswer(message, found)).flag_tc).toBe(true);
  expect(packet.decode(anyAnswer(message, found)).answers).toMatchObject([
    { type: "HINFO", data: { cpu: "RFC8482", os: "" } },
  ]);
  const refused = readQuery(Buffer.concat([message, Buffer.alloc(1)]));
  if (refused?.kind !== "refused") throw new Error("not refused");
  expect(rcodeOf(refusedAnswer(message, refused))).toBe("FORMERR");
});

test("a refusal has an EDNS record if the query has one", () => {
  const refused = readQuery(query("a.example", { ...edns(1232), kind: "AXFR" }));
  if (refused?.kind !== "refused") throw new Error("not refused");
  const message = query("a.example", { ...edns(1232), kind: "AXFR" });
  expect(packet.decode(refusedAnswer(message, refused))).toMatchObject({
    ...{ rcode: "REFUSED", additionals: [{ type: "OPT" }] },
  });
});

test("a later version of EDNS is refused with the version that is known", () => {
  const message = query("a.example", edns(1232));
  message[message.length - 5] = 1;
  const refused = readQuery(message);
  if (refused?.kind !== "refused") throw new Error("not refused");
  const answer = refusedAnswer(message, refused);
  const { rcode, additionals } = packet.decode(answer) as DecodedPacket & { rcode?: string };
  expect(rcode).toBe("NOERROR");
  expect(additionals).toMatchObject([{ type: "OPT", extendedRcode: 1, ednsVersion: 0 }]);
});

test("an error without the question counts as an answer", () => {
  const asked = query("a.example");
  const header = Buffer.from(honestAnswer(asked).subarray(0, 12));
  header.fill(0, 4);
  const is = (rcode: number, bytes = header) => {
    bytes[3] = rcode;
    return isAnswerTo(bytes, asked, questionEnd(asked));
  };
  expect([1, 4].map((rcode) => is(rcode))).toEqual([true, true]);
  expect([0, 2, 3, 5].map((rcode) => is(rcode))).toEqual([false, false, false, false]);
  expect(is(1, Buffer.concat([header, Buffer.alloc(1)]))).toBe(false);
  header[5] = 1;
  expect(is(1)).toBe(false);
});

/** Changes, cuts, inserts and repeats bytes. */
function mutate(message: Buffer, random: () => number): Buffer {
  const bytes = [...message];
  const at = () => Math.floor(random() * bytes.length);
  for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes--) {
    const kind = random();
    if (kind < 0.5) bytes[at()] = Math.floor(random() * 256);
    else if (kind < 0.65) bytes.splice(at(), Math.floor(random() * 8));
    else if (kind < 0.8) bytes.splice(at(), 0, Math.floor(random() * 256));
    else if (kind < 0.9) bytes.length = at();
    else bytes.push(...bytes.slice(at()));
  }
  return Buffer.from(bytes);
}

/** A generator of numbers from 0 to 1 that always gives the same ones (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether a message is a query that may be forwarded, by a plain reading of RFC 1035 and 6891. */
function isPlainQuery(message: Buffer): boolean {
  if (message.length < 12 || message.length > 4096) return false;
  if ((message[2]! & 0xf8) !== 0 || message.readUInt16BE(4) !== 1) return false;
  if (message.readUInt32BE(6) !== 0) return false;
  let at = 12;
  for (let length = message[at]; length !== 0; length = message[at]) {
    if (length === undefined || length > 63) return false;
    at += 1 + length;
  }
  at += 5;
  if (at - 16 > 255 || at > message.length) return false;
  const type = message.readUInt16BE(at - 4);
  if (message.readUInt16BE(at - 2) !== 1 || type === 41 || (type > 248 && type < 253)) return false;
  let options = 0;
  for (let records = message.readUInt16BE(10); records > 0; records--) {
    let name = at;
    while (name < message.length && message[name]! > 0 && message[name]! < 0xc0) {
      if (message[name]! > 63 || name - at > 255) return false;
      name += 1 + message[name]!;
    }
    if (name >= message.length) return false;
    name += message[name] === 0 ? 1 : 2;
    if (name + 10 > message.length) return false;
    const isEdns = message.readUInt16BE(name) === 41;
    if (isEdns && (name !== at + 1 || ++options > 1 || message[name + 5] !== 0)) return false;
    at = name + 10 + message.readUInt16BE(name + 8);
    if (at > message.length) return false;
  }
  return at === message.length;
}

test("mutated messages never crash, and only queries are forwarded", () => {
  const random = numbers(SEED);
  const seeds = [
    query("www.evil.example"),
    query("a.example", edns(4096)),
    query("_x.a-b.example", { kind: "HTTPS", ...edns(1232) }),
  ];
  const answers = [
    honestAnswer(seeds[0]!),
    honestAnswer(seeds[0]!, [{ type: "CNAME", name: "www.evil.example", data: "a.b.example" }]),
  ];
  const seen = { query: 0, refused: 0, dropped: 0, read: 0, unread: 0 };
  const runs = sampleSize(1_000_000);
  for (let i = 0; i < runs; i++) {
    const message = mutate(seeds[i % seeds.length]!, random);
    const found = readQuery(message);
    expect(found?.kind === "query").toBe(isPlainQuery(message));
    seen[found?.kind ?? "dropped"]++;
    if (found?.kind === "query") {
      blockedAnswer(message, found, "nxdomain", 1, { code: 15, text: "" });
      isSigned(message, found.questionEnd);
    }
    if (found?.kind === "refused") refusedAnswer(message, found);

    const answer = mutate(answers[i % answers.length]!, random);
    const isAnswer = isAnswerTo(answer, seeds[0]!, questionEnd(seeds[0]!));
    if (isAnswer) {
      const hosts = targetHosts(answer, questionEnd(seeds[0]!));
      seen[hosts === null ? "unread" : "read"]++;
    }
  }
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(runs / 100);
});
