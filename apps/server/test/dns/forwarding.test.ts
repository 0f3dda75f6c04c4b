import { createSocket } from "node:dgram";
import type { Socket } from "node:net";
import { sampleSize } from "@x/test-support/sample-size";
import packet from "dns-packet";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withLength } from "../../src/dns/channels.ts";
import type { Decision, DnsLists } from "../../src/dns/lists.ts";
import {
  askTcp,
  askUdp,
  edns,
  honestAnswer,
  NO_LISTS,
  query,
  type TestForwarder,
  type TestResolver,
  testForwarder,
  testResolver,
} from "../support/dns.ts";

let resolver: TestResolver;
const running: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  resolver = await testResolver();
  running.push(resolver);
});
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.stop();
});

async function forwarder(...options: Parameters<typeof testForwarder>): Promise<TestForwarder> {
  const started = await testForwarder(...options);
  running.push(started);
  return started;
}

async function otherResolver(...options: Parameters<typeof testResolver>): Promise<TestResolver> {
  const started = await testResolver(...options);
  running.push(started);
  return started;
}

const rcodeOf = (answer: Buffer | null) =>
  answer && (packet.decode(answer) as { rcode?: string }).rcode;
const addressOf = (answer: Buffer | null) =>
  answer && (packet.decode(answer).answers![0] as { data?: unknown } | undefined)?.data;

test("answers pass as they are, over UDP and TCP", async () => {
  const { port } = await forwarder([resolver], { block: ["evil.example"] });
  for (const name of ["good.example", "GoOd.exAmple", "_dmarc.good.example", "notevil.example"]) {
    const message = query(name, edns(4096));
    expect(await askUdp(port, message)).toEqual(honestAnswer(message));
    expect(await askTcp(port, [message])).toEqual([honestAnswer(message)]);
  }
});

test("queries pass as they are, but for their ID and the longest answer over UDP", async () => {
  const { port } = await forwarder([resolver]);
  const message = query("Good.example", { kind: "TXT", ...edns(4096) });
  message[3]! |= 0x30;
  await askUdp(port, message);
  const [asked] = resolver.asked;
  expect(packet.decode(asked!).additionals).toMatchObject([{ udpPayloadSize: 1232 }]);
  asked!.writeUInt16BE(4096, asked!.length - 8);
  expect(asked!.subarray(2)).toEqual(message.subarray(2));
});

test("signed queries pass as they are, but for their ID", async () => {
  const { port } = await forwarder([resolver]);
  const signature = Buffer.from("\0\0\xfa\0\xff\0\0\0\0\0\x02\x01\x02", "latin1");
  const message = Buffer.concat([query("a.example", edns(4096)), signature]);
  message[11] = 2;
  resolver.udp = (asked) => {
    const answer = honestAnswer(message);
    asked.copy(answer, 0, 0, 2);
    return answer;
  };
  await askUdp(port, message);
  expect(resolver.asked[0]!.subarray(2)).toEqual(message.subarray(2));
});

test("listed names are blocked, whatever is asked", async () => {
  const { port, outcomes } = await forwarder([resolver], { block: ["evil.example"] });
  for (const kind of ["A", "AAAA", "HTTPS", "MX", "TXT", "NS", "SOA", "SRV"]) {
    expect(rcodeOf(await askUdp(port, query("www.EVIL.example", { kind })))).toBe("NXDOMAIN");
  }
  const [overTcp] = await askTcp(port, [query("evil.example")]);
  expect(rcodeOf(overTcp!)).toBe("NXDOMAIN");
  expect(resolver.asked).toEqual([]);
  expect(new Set(outcomes)).toEqual(new Set(["blocked"]));
});

test("allowed names are not blocked", async () => {
  const lists = { block: ["evil.example"], allow: ["www.evil.example"] };
  const { port } = await forwarder([resolver], lists);
  expect(rcodeOf(await askUdp(port, query("a.www.evil.example")))).toBe("NOERROR");
  expect(rcodeOf(await askUdp(port, query("evil.example")))).toBe("NXDOMAIN");
});

test("answers that lead to a listed host are blocked", async () => {
  const { port } = await forwarder([resolver], {
    ...{ block: ["evil.example"], allow: ["allowed.example"] },
  });
  const leading = (data: string) => (message: Buffer) => {
    const [{ name }] = packet.decode(message).questions as never as [{ name: string }];
    return honestAnswer(message, [
      { type: "CNAME", name, data },
      { type: "A", name: data, data: "192.0.2.1" },
    ]);
  };
  resolver.udp = leading("cdn.Evil.example");
  expect(rcodeOf(await askUdp(port, query("good.example")))).toBe("NXDOMAIN");
  expect(rcodeOf(await askUdp(port, query("allowed.example")))).toBe("NOERROR");
  resolver.udp = leading("cdn.good.example");
  expect(rcodeOf(await askUdp(port, query("good.example")))).toBe("NOERROR");
});

test("transfers, updates and other classes are refused, and ANY is answered without a resolver", async () => {
  const { port } = await forwarder([resolver]);
  expect(rcodeOf(await askUdp(port, query("a.example", { kind: "AXFR" })))).toBe("REFUSED");
  const update = query("a.example");
  update[2] = 0x28;
  expect(rcodeOf(await askUdp(port, update))).toBe("NOTIMP");
  const any = packet.decode((await askUdp(port, query("a.example", { kind: "ANY" })))!);
  expect(any.answers).toMatchObject([{ type: "HINFO" }]);
  expect(resolver.asked).toEqual([]);
});

test("long answers make clients ask again over TCP", async () => {
  const { port } = await forwarder([resolver]);
  const long = (message: Buffer) => {
    const [{ name }] = packet.decode(message).questions as never as [{ name: string }];
    return honestAnswer(message, [{ type: "TXT", name, data: Array(20).fill("x".repeat(100)) }]);
  };
  resolver.udp = long;
  resolver.tcp = long;
  const message = query("a.example", { kind: "TXT" });
  const short = (await askUdp(port, message))!;
  expect(short.length).toBeLessThan(512);
  expect(packet.decode(short)).toMatchObject({ flag_tc: true, answers: [] });
  expect(await askTcp(port, [message])).toEqual([long(message)]);
});

test("a truncated answer passes as it is", async () => {
  const { port } = await forwarder([resolver]);
  resolver.udp = (message) => {
    const answer = honestAnswer(message, []);
    answer[2]! |= 2;
    return answer;
  };
  expect(packet.decode((await askUdp(port, query("a.example")))!).flag_tc).toBe(true);
});

test("many queries on one connection, byte by byte", async () => {
  const { port } = await forwarder([resolver], { block: ["evil.example"] });
  const names = Array.from({ length: 300 }, (_, i) =>
    i % 3 === 0 ? "evil.example" : `n${i}.example`,
  );
  const messages = names.map((name, id) => query(name, { id }));
  const answers = await askTcp(port, messages, 7);
  const byId = new Map(answers.map((answer) => [answer.readUInt16BE(0), rcodeOf(answer)]));
  names.forEach((name, id) => {
    expect(byId.get(id)).toBe(name === "evil.example" ? "NXDOMAIN" : "NOERROR");
  });
});

test("a connection with a query that is too long is closed", async () => {
  const { port } = await forwarder([resolver]);
  expect(await askTcp(port, [Buffer.alloc(5000)])).toEqual([]);
});

describe("resolvers that fail", () => {
  test("a silent resolver gives SERVFAIL with a reason", async () => {
    const { port, changes, waiting } = await forwarder([resolver], { timeout: 200 });
    resolver.udp = () => null;
    const answer = packet.decode((await askUdp(port, query("a.example", edns(1232))))!);
    expect((answer as { rcode?: string }).rcode).toBe("SERVFAIL");
    const [{ options }] = answer.additionals as unknown as [{ options: { data: Buffer }[] }];
    expect(options[0]!.data.readUInt16BE(0)).toBe(22);
    expect(changes).toEqual([[`127.0.0.1:${resolver.address.port}`, false]]);
    expect(waiting()).toBe(0);
    expect(resolver.asked).toHaveLength(4);
    resolver.udp = (message) => honestAnswer(message);
    expect(rcodeOf(await askUdp(port, query("b.example")))).toBe("NOERROR");
    expect(changes.at(-1)![1]).toBe(true);
  });

  test("a slow resolver is heard", async () => {
    const { port } = await forwarder([resolver], { timeout: 2000 });
    resolver.udp = (message, from) => {
      setTimeout(() => resolver.send(honestAnswer(message), from), 700);
      return null;
    };
    expect(rcodeOf(await askUdp(port, query("a.example")))).toBe("NOERROR");
  });

  test("a TCP connection that is silent is replaced", async () => {
    const { port } = await forwarder([resolver], { timeout: 2000 });
    let first: Socket | null = null;
    resolver.tcp = (message, connection) => {
      first ??= connection;
      return connection === first ? null : honestAnswer(message);
    };
    for (const name of ["a.example", "b.example"]) {
      expect((await askTcp(port, [query(name)])).map(rcodeOf)).toEqual(["NOERROR"]);
    }
    expect(resolver.asked).toHaveLength(3);
  });

  test("a slow resolver is heard over TCP", async () => {
    const { port } = await forwarder([resolver], { timeout: 2000 });
    resolver.tcp = (message, connection) => {
      setTimeout(() => connection.write(withLength(honestAnswer(message))), 700);
      return null;
    };
    expect((await askTcp(port, [query("a.example")])).map(rcodeOf)).toEqual(["NOERROR"]);
  });

  test("others are asked after a silent one, and first from then on", async () => {
    const other = await otherResolver();
    const { port } = await forwarder([resolver, other], { timeout: 800 });
    resolver.udp = () => null;
    expect(rcodeOf(await askUdp(port, query("a.example")))).toBe("NOERROR");
    expect(rcodeOf(await askUdp(port, query("b.example")))).toBe("NOERROR");
    expect([resolver.asked.length, other.asked.length]).toEqual([1, 2]);
  });

  test("others are asked at once if nobody listens there", async () => {
    const closed = await testResolver();
    await closed.stop();
    const { port } = await forwarder([closed, resolver], { timeout: 60_000 });
    expect(rcodeOf(await askUdp(port, query("a.example")))).toBe("NOERROR");
    expect((await askTcp(port, [query("b.example")])).map(rcodeOf)).toEqual(["NOERROR"]);
  });

  test.each([
    ["another ID", (answer: Buffer) => answer.writeUInt16BE(answer.readUInt16BE(0) ^ 1, 0)],
    ["another name", (answer: Buffer) => answer.write("x", 13)],
    ["another type", (answer: Buffer) => answer.writeUInt16BE(28, 12 + 11)],
    ["a query", (answer: Buffer) => answer.writeUInt8(1, 2)],
  ])("a wrong answer with %s is ignored, and the right one is heard", async (_, change) => {
    const { port, mismatches } = await forwarder([resolver], { timeout: 5000 });
    resolver.udp = (message, from) => {
      const wrong = Buffer.from(honestAnswer(message));
      wrong.writeUInt32BE(0x06060606, wrong.length - 4);
      change(wrong);
      resolver.send(wrong, from);
      resolver.send(wrong.subarray(0, 5), from);
      setTimeout(() => resolver.send(honestAnswer(message), from), 20);
      return null;
    };
    expect(addressOf(await askUdp(port, query("a.example")))).toBe("192.0.2.1");
    expect(mismatches()).toBe(2);
  });

  test("an answer from another port or address is not heard", async () => {
    const { port } = await forwarder([resolver], { timeout: 5000 });
    const forger = createSocket("udp4");
    resolver.udp = (message, from) => {
      const wrong = Buffer.from(honestAnswer(message));
      wrong.writeUInt32BE(0x06060606, wrong.length - 4);
      forger.send(wrong, from.port, from.address, () => {
        setTimeout(() => resolver.send(honestAnswer(message), from), 20);
      });
      return null;
    };
    expect(addressOf(await askUdp(port, query("a.example")))).toBe("192.0.2.1");
    forger.close();
  });

  test("a resolver that cannot read a query is heard", async () => {
    const { port, mismatches } = await forwarder([resolver]);
    resolver.udp = (message) => {
      const answer = Buffer.from(message.subarray(0, 12)).fill(0, 4);
      answer.writeUInt16BE(0x8001, 2);
      return answer;
    };
    expect(rcodeOf(await askUdp(port, query("a.example")))).toBe("FORMERR");
    expect(mismatches()).toBe(0);
  });

  test("an answer that cannot be read is not passed on", async () => {
    const { port } = await forwarder([resolver]);
    resolver.udp = (message) => {
      const answer = honestAnswer(message);
      return answer.subarray(0, answer.length - 1);
    };
    expect(rcodeOf(await askUdp(port, query("a.example")))).toBe("SERVFAIL");
  });

  test("a resolver that sends queries back does not make a loop", async () => {
    const started = await forwarder([resolver], { timeout: 400 });
    const relay = createSocket("udp4");
    resolver.udp = (message) => {
      relay.send(message, started.port, "127.0.0.1");
      return null;
    };
    expect(rcodeOf(await askUdp(started.port, query("a.example")))).toBe("SERVFAIL");
    expect(resolver.asked.length).toBeLessThanOrEqual(4);
    relay.close();
  });
});

test("ports and IDs are not the same twice in a row", async () => {
  const { port } = await forwarder([resolver]);
  const names = Array.from({ length: 200 }, (_, i) => `n${i}.example`);
  await Promise.all(names.map((name) => askUdp(port, query(name))));
  expect(resolver.ports.size).toBeGreaterThan(16);
  const ids = new Set(resolver.asked.map((message) => message.readUInt16BE(0)));
  expect(ids.size).toBeGreaterThan(190);
});

test("the same query is sent once while it waits", async () => {
  const { port } = await forwarder([resolver], { timeout: 5000 });
  resolver.udp = (message, from) => {
    setTimeout(() => resolver.send(honestAnswer(message), from), 200);
    return null;
  };
  const messages = Array.from({ length: 20 }, (_, id) => query("a.example", { id }));
  const answers = await Promise.all(messages.map((message) => askUdp(port, message)));
  expect(answers.map((answer) => answer?.readUInt16BE(0))).toEqual(messages.map((_, id) => id));
  expect(resolver.asked).toHaveLength(1);
});

describe("lists that cannot decide", () => {
  const deciding = (decide: DnsLists["decide"] | Decision): DnsLists => ({
    ...NO_LISTS,
    decide: typeof decide === "function" ? decide : () => decide,
  });
  const unsure: Decision = { kind: "unsure", reason: "not-loaded" };

  test("names are forwarded, or refused if the operator wants it", async () => {
    const { port } = await forwarder([resolver], { lists: deciding(unsure) });
    expect(rcodeOf(await askUdp(port, query("a.example")))).toBe("NOERROR");
    const strict = await forwarder([resolver], {
      ...{ lists: deciding(unsure), withoutLists: "refuse", allow: ["allowed.example"] },
    });
    expect(rcodeOf(await askUdp(strict.port, query("a.example")))).toBe("SERVFAIL");
    expect(rcodeOf(await askUdp(strict.port, query("allowed.example")))).toBe("NOERROR");
  });

  test("a server that is asked decides later", async () => {
    const block: Decision = { kind: "block", list: "l", entry: "a.example/" };
    const { port } = await forwarder([resolver], { lists: deciding(async () => block) });
    expect(rcodeOf(await askUdp(port, query("a.example")))).toBe("NXDOMAIN");
    const broken = await forwarder([resolver], {
      ...{ lists: deciding(() => Promise.reject(new Error("broken"))), withoutLists: "refuse" },
    });
    expect(rcodeOf(await askUdp(broken.port, query("a.example")))).toBe("SERVFAIL");
  });
});

test("in a storm with lost and forged packets, no answer is wrong", async () => {
  const started = await forwarder([resolver], { block: ["evil.example"], timeout: 1200 });
  const asked = new Set<string>();
  let count = 0;
  resolver.udp = (message, from) => {
    count++;
    const wrong = Buffer.from(honestAnswer(message));
    wrong.writeUInt32BE(0x06060606, wrong.length - 4);
    wrong.writeUInt16BE(wrong.readUInt16BE(0) ^ (1 + (count % 7)), 0);
    if (count % 3 === 0) resolver.send(wrong, from);
    // A query is lost at most once.
    const question = message.toString("latin1", 12);
    const isLost = count % 5 === 0 && !asked.has(question);
    asked.add(question);
    return isLost ? null : honestAnswer(message);
  };
  const rounds = Math.ceil(sampleSize(20_000) / 100);
  for (let round = 0; round < rounds; round++) {
    const names = Array.from({ length: 100 }, (_, i) =>
      i % 4 === 0 ? `r${round}n${i}.evil.example` : `r${round}n${i}.good.example`,
    );
    const answers = await Promise.all(names.map((name) => askUdp(started.port, query(name), 9000)));
    answers.forEach((answer, i) => {
      const expected = i % 4 === 0 ? ["NXDOMAIN", undefined] : ["NOERROR", "192.0.2.1"];
      expect([rcodeOf(answer), addressOf(answer)], names[i]).toEqual(expected);
    });
  }
  expect(started.waiting()).toBe(0);
});
