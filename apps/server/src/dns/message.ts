/*
 * The parts of DNS messages that a forwarder reads: the question of a query, the EDNS record, and the names to which
 * an answer leads. Everything else passes through as bytes. Names are read here, because labels may have any bytes, and
 * `dns-packet`, with which the tests compare these functions, reads them as UTF-8.
 */
import { domainToASCII } from "node:url";

export const HEADER_BYTES = 12;
/** The longest message (RFC 1035 §4.2.2). */
export const MAX_MESSAGE_BYTES = 65_535;
/** The longest query. Nobody needs longer ones. */
const MAX_QUERY_BYTES = 4096;
/** The longest answer over UDP, which no network splits (DNS Flag Day 2020). */
export const MAX_UDP_BYTES = 1232;
/** The longest answer over UDP to a client without EDNS (RFC 1035 §4.2.1). */
const LEAST_UDP_BYTES = 512;
const MAX_NAME_BYTES = 255;

export const TYPE = {
  A: 1,
  CNAME: 5,
  SOA: 6,
  HINFO: 13,
  AAAA: 28,
  SIG: 24,
  DNAME: 39,
  OPT: 41,
  SVCB: 64,
  HTTPS: 65,
  TSIG: 250,
  ANY: 255,
} as const;
export const CLASS_IN = 1;

export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  /** Only an EDNS record has room for this code. */
  BADVERS: 16,
} as const;
export type Rcode = (typeof RCODE)[keyof typeof RCODE];

/** Where the version of EDNS and the flag DO are, after the class of the record (RFC 6891 §6.1.3). */
const EDNS_VERSION = 3;
export const EDNS_FLAGS = 4;

/** The bits of the third and the fourth byte of a message. */
const QR = 0x80;
const OPCODE = 0x78;

/** A query that a forwarder may answer. */
export interface Query {
  readonly kind: "query";
  /**
   * The host that the question names, in lower case and without a dot at the end, or the longest suffix of it that can
   * be the host of a URL, or `null` if no URL can have such a host.
   */
  readonly host: string | null;
  readonly type: number;
  /** The index after the question. */
  readonly questionEnd: number;
  /** The index of the class of the EDNS record, which holds the longest UDP answer; 0 without EDNS. */
  readonly ednsAt: number;
  /** The longest answer over UDP that the client accepts. */
  readonly udpBytes: number;
}

/** A query that is answered with an error. */
export interface RefusedQuery {
  readonly kind: "refused";
  readonly rcode: Rcode;
  /** The index after the question; {@link HEADER_BYTES} if the question cannot be read. */
  readonly questionEnd: number;
  /** As in {@link Query}, if the answer needs an EDNS record; otherwise 0. */
  readonly ednsAt: number;
}

/** The types that a forwarder does not ask for: transfers, and those with a meaning only between two servers. */
function isRefusedType(type: number): boolean {
  return type === TYPE.OPT || (type >= 249 && type <= 252);
}

const refused = (rcode: Rcode, questionEnd = HEADER_BYTES, ednsAt = 0): RefusedQuery => ({
  ...{ kind: "refused", rcode, questionEnd, ednsAt },
});

/**
 * Reads a query. Returns `null` for a message that must not be answered: it is not a query, and an answer could be
 * answered again.
 */
export function readQuery(message: Buffer): Query | RefusedQuery | null {
  if (message.length < HEADER_BYTES || (message[2]! & QR) !== 0) return null;
  if ((message[2]! & OPCODE) !== 0) return refused(RCODE.NOTIMP);
  // A query has one question (RFC 9619).
  if (message.length > MAX_QUERY_BYTES || message.readUInt16BE(4) !== 1) {
    return refused(RCODE.FORMERR);
  }
  const nameEnd = skipLabels(message, HEADER_BYTES);
  const questionEnd = nameEnd + 4;
  if (nameEnd < 0 || questionEnd > message.length) return refused(RCODE.FORMERR);
  const type = message.readUInt16BE(nameEnd);
  const edns = readAdditional(message, questionEnd);
  if (message.readUInt16BE(nameEnd + 2) !== CLASS_IN || isRefusedType(type)) {
    return refused(RCODE.REFUSED, questionEnd, edns ?? 0);
  }
  if (edns === null) return refused(RCODE.FORMERR, questionEnd);
  if (edns !== 0 && message[edns + EDNS_VERSION] !== 0) {
    return refused(RCODE.BADVERS, questionEnd, edns);
  }
  const offered = edns === 0 ? LEAST_UDP_BYTES : message.readUInt16BE(edns);
  return {
    kind: "query",
    host: hostIn(message, HEADER_BYTES, nameEnd),
    type,
    questionEnd,
    ednsAt: edns,
    udpBytes: Math.min(Math.max(offered, LEAST_UDP_BYTES), MAX_UDP_BYTES),
  };
}

/** The index after a name without pointers, or -1 if there is no such name. */
function skipLabels(message: Buffer, start: number): number {
  const most = Math.min(message.length, start + MAX_NAME_BYTES);
  for (let at = start; at < most; ) {
    const length = message[at]!;
    if (length === 0) return at + 1;
    if (length > 63) return -1;
    at += 1 + length;
  }
  return -1;
}

/** The index after a name that may end in a pointer, or -1 if there is no such name. */
function skipName(message: Buffer, start: number): number {
  for (let at = start; at < message.length; ) {
    const length = message[at]!;
    if (length === 0) return at + 1;
    if (length >= 0xc0) return at + 2 <= message.length ? at + 2 : -1;
    if (length > 63 || at - start > MAX_NAME_BYTES) return -1;
    at += 1 + length;
  }
  return -1;
}

/** The bytes of a record between its name and its data: type, class, time to live and length. */
const RECORD_BYTES = 10;

/** The index after a record whose name ends at `at`, or -1 if it does not end within the message. */
function recordEnd(message: Buffer, at: number): number {
  if (at < 0 || at + RECORD_BYTES > message.length) return -1;
  const end = at + RECORD_BYTES + message.readUInt16BE(at + 8);
  return end <= message.length ? end : -1;
}

/**
 * Reads the records after the question of a query. Returns the index of the class of the EDNS record, or 0 if there is
 * none, or `null` if the query is malformed.
 */
function readAdditional(message: Buffer, start: number): number | null {
  const answers = message.readUInt16BE(6) + message.readUInt16BE(8);
  if (answers !== 0) return null;
  let edns = 0;
  let at = start;
  for (let left = message.readUInt16BE(10); left > 0; left--) {
    const nameEnd = skipName(message, at);
    const end = recordEnd(message, nameEnd);
    if (end < 0) return null;
    if (message.readUInt16BE(nameEnd) === TYPE.OPT) {
      // There is at most one, and its name is the root (RFC 6891 §6.1.1).
      if (edns !== 0 || nameEnd !== at + 1) return null;
      edns = nameEnd + 2;
    }
    at = end;
  }
  return at === message.length ? edns : null;
}

/**
 * Whether a query that was read is signed (RFC 8945, RFC 2931): the signature is its last record, and covers all of it
 * but its ID.
 */
export function isSigned(message: Buffer, questionEnd: number): boolean {
  let at = questionEnd;
  let type = 0;
  for (let left = message.readUInt16BE(10); left > 0; left--) {
    const nameEnd = skipName(message, at);
    type = message.readUInt16BE(nameEnd);
    at = recordEnd(message, nameEnd);
  }
  return type === TYPE.TSIG || type === TYPE.SIG;
}

const DOT = 0x2e;
/** What a byte of a label means for hosts: 0 for bytes that cannot be in the host of a URL. */
const PLAIN = 1;
const OTHER_TEXT = 2;
/** The bytes of labels in lower case, and what they mean. */
const LOWER = new Uint8Array(256);
const MEANING = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  const character = String.fromCharCode(byte);
  LOWER[byte] = byte < 0x80 ? character.toLowerCase().charCodeAt(0) : byte;
  if (/[\w-]/.test(character)) MEANING[byte] = PLAIN;
  else if (/[^\0- %./\\?#@:[\]\x7f]/.test(character)) MEANING[byte] = OTHER_TEXT;
}

const scratch = Buffer.alloc(MAX_NAME_BYTES + 1);

/**
 * The host in a name from index `start` to `end`, as in {@link Query}. `createLookup` shortens hosts that no site can
 * have, too, but those of URLs, after they were read as text: it asks about the longest suffix that can be read. Here,
 * names are bytes, and most of them are plain.
 */
function hostIn(message: Uint8Array, start: number, end: number): string | null {
  let used = 0;
  let isPlain = true;
  /** The index in `scratch` after the last label with bytes that no host has; -1 if there is none. */
  let oddEnd = -1;
  for (let at = start; at < end - 1; ) {
    const labelEnd = at + 1 + message[at]!;
    let isOdd = false;
    for (let i = at + 1; i < labelEnd; i++) {
      const byte = message[i]!;
      const meaning = MEANING[byte]!;
      if (meaning !== PLAIN) {
        isPlain = false;
        if (meaning === 0) isOdd = true;
      }
      scratch[used++] = LOWER[byte]!;
    }
    scratch[used++] = DOT;
    if (isOdd) oddEnd = used;
    at = labelEnd;
  }
  if (used === 0) return null;
  if (isPlain) return scratch.toString("latin1", 0, used - 1);
  const labels = scratch.toString("utf8", Math.max(oddEnd, 0), used - 1).split(".");
  const odd = labels.findLastIndex(
    (label) => !/^[\w-]*$/.test(label) && domainToASCII(label) === "",
  );
  if (oddEnd < 0 && odd < 0) return labels.join(".");
  // The labels after an odd one are a suffix of the name, for which the same entries count. An entry for the whole
  // suffix counts, too, even if it has more labels than suffixes may have: in v5, that depends on the registrable
  // domain.
  const suffix = labels.slice(odd + 1);
  return suffix.length < 2 ? null : suffix.join(".");
}

/** The name at an index of a message, without pointers, or `null` if there is no name. */
function uncompressed(message: Buffer, start: number): Buffer | null {
  const name = Buffer.allocUnsafe(MAX_NAME_BYTES);
  let used = 0;
  let at = start;
  let earliest = start;
  for (;;) {
    const length = message[at];
    if (length === undefined) return null;
    if (length >= 0xc0) {
      // A pointer leads to an earlier name, so there is no loop.
      const to = at + 1 < message.length ? message.readUInt16BE(at) & 0x3fff : earliest;
      if (to >= earliest) return null;
      at = to;
      earliest = to;
      continue;
    }
    const end = at + 1 + length;
    if (length > 63 || end > message.length || used + 1 + length > MAX_NAME_BYTES) return null;
    message.copy(name, used, at, end);
    used += 1 + length;
    if (length === 0) return name.subarray(0, used);
    at = end;
  }
}

/** Where the name is in the data of records that lead to another name. */
const TARGET_AT: Readonly<Record<number, number>> = {
  [TYPE.CNAME]: 0,
  [TYPE.DNAME]: 0,
  [TYPE.SVCB]: 2,
  [TYPE.HTTPS]: 2,
};

/** An answer with more records that lead to other names is not read. Honest ones have a few. */
const MAX_TARGETS = 64;

/**
 * The hosts to which the answers of a message lead: those of its CNAME and DNAME records, and those at which its SVCB
 * and HTTPS records say that a service is. Returns `null` for a message that cannot be read, or has too many such
 * records.
 */
export function targetHosts(message: Buffer, questionEnd: number): readonly string[] | null {
  const hosts: string[] = [];
  let targets = 0;
  let at = questionEnd;
  for (let left = message.readUInt16BE(6); left > 0; left--) {
    const nameEnd = skipName(message, at);
    const end = recordEnd(message, nameEnd);
    if (end < 0) return null;
    const target = TARGET_AT[message.readUInt16BE(nameEnd)];
    if (target !== undefined) {
      if (++targets > MAX_TARGETS) return null;
      const name = uncompressed(message, nameEnd + RECORD_BYTES + target);
      if (name === null) return null;
      const host = hostIn(name, 0, name.length);
      if (host !== null && !hosts.includes(host)) hosts.push(host);
    }
    at = end;
  }
  return hosts;
}

/** Whether a message is the answer to a query. The case of the letters in the name may differ (RFC 5452 §9.1). */
export function isAnswerTo(answer: Buffer, query: Buffer, questionEnd: number): boolean {
  if (answer.length < HEADER_BYTES || (answer[2]! & QR) === 0) return false;
  if (((answer[2]! ^ query[2]!) & OPCODE) !== 0) return false;
  if (isBareError(answer)) return true;
  if (answer.length < questionEnd || answer.readUInt16BE(4) !== 1) return false;
  for (let i = HEADER_BYTES; i < questionEnd; i++) {
    if (LOWER[answer[i]!] !== LOWER[query[i]!]) return false;
  }
  return true;
}

const RCODE_BITS = 0x0f;

/**
 * Whether an answer is only a header that says that a server cannot read the query, whose question it does not repeat.
 */
function isBareError(answer: Buffer): boolean {
  if (answer.length !== HEADER_BYTES || answer.readUInt16BE(4) !== 0) return false;
  const rcode = answer[3]! & RCODE_BITS;
  return rcode === RCODE.FORMERR || rcode === RCODE.NOTIMP;
}

const TC = 0x02;

/** Whether a message was cut off, so that the client has to ask again over TCP. */
export const isTruncated = (message: Buffer): boolean => (message[2]! & TC) !== 0;

/** An escaped byte, by its number or as it is (RFC 1035 §5.1), a dot between labels, or any other text. */
const NAME_PART = /\\(\d{3})|\\([^\d])|(\.)|([^.\\]+)/suy;

/**
 * The bytes of a name that is written as text, as in `www.example.com.` or `a\.b.example.com`; `null` if there is no
 * such name.
 */
export function nameBytes(text: string): Buffer | null {
  const labels: Buffer[][] = [[]];
  let at = 0;
  while (at < text.length) {
    NAME_PART.lastIndex = at;
    const [part, number, escaped, dot, plain] = NAME_PART.exec(text) ?? [""];
    if (part === "" || Number(number) > 255) return null;
    if (dot !== undefined) labels.push([]);
    else labels.at(-1)!.push(number ? Buffer.of(Number(number)) : Buffer.from(escaped ?? plain!));
    at += part.length;
  }
  if (labels.at(-1)!.length === 0) labels.pop();
  const parts = labels.map((label) => Buffer.concat(label));
  if (parts.length === 0 || parts.some(({ length }) => length === 0 || length > 63)) return null;
  const bytes = Buffer.concat([
    ...parts.flatMap((part) => [Buffer.of(part.length), part]),
    Buffer.of(0),
  ]);
  return bytes.length > MAX_NAME_BYTES ? null : bytes;
}

/** The host in a name that is written as text, as in {@link Query}. */
export function hostOfName(text: string): string | null {
  const bytes = nameBytes(text);
  return bytes === null ? null : hostIn(bytes, 0, bytes.length);
}
