import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import {
  CLASS_IN,
  EDNS_FLAGS,
  HEADER_BYTES,
  MAX_UDP_BYTES,
  type Query,
  RCODE,
  type Rcode,
  type RefusedQuery,
  TYPE,
} from "./message.ts";

/** Codes of Extended DNS Errors (RFC 8914 §4) that say why a name is blocked. */
export const REASONS = { blocked: 15, censored: 16, filtered: 17 } as const;
/** Codes that say why there is no answer. */
export const NOT_READY = 14;
export const NO_REACHABLE_AUTHORITY = 22;

/** An Extended DNS Error. */
export interface ExtendedError {
  readonly code: number;
  readonly text: string;
}

/** What a client is told about a blocked name: an error, or addresses. */
export type BlockedAnswer =
  | "nxdomain"
  | "refused"
  /** `null` stands for no address of this kind. */
  | { readonly ipv4: Buffer | null; readonly ipv6: Buffer | null };

/** Parses `nxdomain`, `refused`, `zero`, or addresses; returns `null` for anything else. */
export function parseBlockedAnswer(words: readonly string[]): BlockedAnswer | null {
  const [word] = words;
  if (words.length === 1) {
    if (word === "nxdomain" || word === "refused") return word;
    if (word === "zero") return { ipv4: Buffer.alloc(4), ipv6: Buffer.alloc(16) };
  }
  if (words.length === 0 || words.some((each) => isIP(each) === 0)) return null;
  const bytes = words.map((each) => Buffer.from(ipaddr.parse(each).toByteArray()));
  const ofLength = (length: number) => bytes.findLast((each) => each.length === length) ?? null;
  return { ipv4: ofLength(4), ipv6: ofLength(16) };
}

/** The flags of all answers: QR, and RA; AA, AD and TC are not set. */
const QR = 0x80;
const RA = 0x80;
const TC = 0x02;
/** The flags of a query that its answer repeats: opcode and RD, and CD. */
const COPIED = [0x79, 0x10] as const;

const OPT_BYTES = 11;
/** The length of an Extended DNS Error without its text. */
const ERROR_BYTES = 6;
const EXTENDED_ERROR = 15;
const POINTER_TO_QUESTION = 0xc00c;

interface Sections {
  readonly rcode: Rcode;
  readonly flags?: number;
  readonly answer?: Buffer | null;
  readonly authority?: Buffer | null;
  readonly error?: ExtendedError | null;
}

/**
 * Makes an answer with the question of a query. Clients without EDNS do not get the extended error, and others as much
 * of its text as fits into an answer over UDP.
 */
function answerTo(
  message: Buffer,
  {
    questionEnd,
    ednsAt,
    udpBytes = 0,
  }: Pick<Query, "questionEnd" | "ednsAt"> & Partial<Pick<Query, "udpBytes">>,
  { rcode, flags = 0, answer = null, authority = null, error = null }: Sections,
): Buffer {
  const records = [message.subarray(0, questionEnd), answer, authority].filter(
    (part) => part !== null,
  );
  const used = records.reduce((sum, { length }) => sum + length, OPT_BYTES + ERROR_BYTES);
  const edns =
    ednsAt === 0 ? null : optRecord(message, ednsAt, rcode, error, Math.max(0, udpBytes - used));
  const bytes = Buffer.concat(edns === null ? records : [...records, edns]);
  bytes[2] = QR | (message[2]! & COPIED[0]) | flags;
  bytes[3] = RA | (message[3]! & COPIED[1]) | (rcode & 0x0f);
  bytes.writeUInt16BE(questionEnd > HEADER_BYTES ? 1 : 0, 4);
  bytes.writeUInt16BE(answer === null ? 0 : 1, 6);
  bytes.writeUInt16BE(authority === null ? 0 : 1, 8);
  bytes.writeUInt16BE(edns === null ? 0 : 1, 10);
  return bytes;
}

/**
 * The EDNS record of an answer (RFC 6891 §6.1.2), which repeats the flag DO of the query.
 *
 * @param most the longest text of the error, in bytes.
 */
function optRecord(
  message: Buffer,
  ednsAt: number,
  rcode: Rcode,
  error: ExtendedError | null,
  most: number,
): Buffer {
  const text = error === null ? null : cutUtf8(Buffer.from(error.text), most);
  const record = Buffer.alloc(OPT_BYTES + (text === null ? 0 : ERROR_BYTES + text.length));
  record.writeUInt16BE(TYPE.OPT, 1);
  record.writeUInt16BE(MAX_UDP_BYTES, 3);
  record[5] = rcode >> 4;
  record[7] = message[ednsAt + EDNS_FLAGS]! & 0x80;
  if (error === null || text === null) return record;
  record.writeUInt16BE(ERROR_BYTES + text.length, 9);
  record.writeUInt16BE(EXTENDED_ERROR, 11);
  record.writeUInt16BE(2 + text.length, 13);
  record.writeUInt16BE(error.code, 15);
  text.copy(record, 17);
  return record;
}

/** The first characters of a text in UTF-8, in at most this many bytes. */
function cutUtf8(text: Buffer, most: number): Buffer {
  if (text.length <= most) return text;
  let end = most;
  while (end > 0 && (text[end]! & 0xc0) === 0x80) end--;
  return text.subarray(0, end);
}

/** A record for the name of the question. */
function recordOf(type: number, ttl: number, data: Buffer): Buffer {
  const record = Buffer.alloc(12 + data.length);
  record.writeUInt16BE(POINTER_TO_QUESTION, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(CLASS_IN, 4);
  record.writeUInt32BE(ttl, 6);
  record.writeUInt16BE(data.length, 10);
  data.copy(record, 12);
  return record;
}

/** The record that says how long a client may remember that there is nothing (RFC 2308 §3). */
function soaOf(ttl: number): Buffer {
  // The names are the root, and the last number is the time.
  const data = Buffer.alloc(22);
  data.writeUInt32BE(1, 2);
  for (const at of [6, 10, 14, 18]) data.writeUInt32BE(ttl, at);
  return recordOf(TYPE.SOA, ttl, data);
}

/** The answer about a blocked name, which clients may keep for `ttl` seconds. */
export function blockedAnswer(
  message: Buffer,
  query: Query,
  blocked: BlockedAnswer,
  ttl: number,
  error: ExtendedError,
): Buffer {
  const { NOERROR, NXDOMAIN, REFUSED } = RCODE;
  if (blocked === "refused") return answerTo(message, query, { rcode: REFUSED, error });
  if (blocked === "nxdomain") {
    return answerTo(message, query, { rcode: NXDOMAIN, authority: soaOf(ttl), error });
  }
  const { ipv4, ipv6 } = blocked;
  const address = query.type === TYPE.A ? ipv4 : query.type === TYPE.AAAA ? ipv6 : null;
  return address === null
    ? answerTo(message, query, { rcode: NOERROR, authority: soaOf(ttl), error })
    : answerTo(message, query, {
        ...{ rcode: NOERROR, error },
        answer: recordOf(query.type, ttl, address),
      });
}

/** The answer to a query that is refused. */
export function refusedAnswer(message: Buffer, query: RefusedQuery): Buffer {
  return answerTo(message, query, { rcode: query.rcode });
}

/** The answer to a query that cannot be answered. */
export function failedAnswer(message: Buffer, query: Query, error: ExtendedError): Buffer {
  return answerTo(message, query, { rcode: RCODE.SERVFAIL, error });
}

/** The answer that makes a client ask again over TCP. */
export function truncatedAnswer(message: Buffer, query: Query): Buffer {
  return answerTo(message, query, { rcode: RCODE.NOERROR, flags: TC });
}

const ANY_DATA = Buffer.from("\x07RFC8482\0", "latin1");
const ANY_TTL = 86_400;

/** The answer to a question for records of all types, which names none of them (RFC 8482 §4.2). */
export function anyAnswer(message: Buffer, query: Query): Buffer {
  const answer = recordOf(TYPE.HINFO, ANY_TTL, ANY_DATA);
  return answerTo(message, query, { rcode: RCODE.NOERROR, answer });
}
