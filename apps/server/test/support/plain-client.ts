import {
  type PlainList,
  plainUpdate,
} from "../../../../packages/list-store/test/support/plain-list.ts";
import { plainDecode } from "../../../../packages/wire/test/plain-rice.ts";
import {
  bytesAt,
  field,
  messagesAt,
  numberAt,
  type PlainFields,
  readFields,
  readRice,
  readRiceData,
} from "./plain-messages.ts";

/** Sends a request, and returns the body of the answer. */
export type Send = (
  target: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Uint8Array>;

/** A client that keeps one list, as a browser does. */
export interface PlainClient {
  readonly list: () => PlainList;
  /** Asks for an update, and applies it or drops it as if the connection had ended. Returns the kind of the update. */
  update(drops?: boolean | "differences"): Promise<"none" | "partial" | "full">;
}

interface Received {
  readonly token: Uint8Array;
  readonly isFull: boolean;
  readonly removals: readonly number[];
  readonly additions: readonly string[];
  /** `null` if nothing has changed and the protocol allows the checksum to be absent. */
  readonly checksum: string | null;
}

/** Converts numbers to prefixes in hex. The least significant byte of a number is the first byte of the prefix. */
function littleEndianPrefixes(numbers: readonly number[]): string[] {
  return numbers.map((number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(number);
    return bytes.toString("hex");
  });
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

function plainClient(ask: (token: Uint8Array) => Promise<Received>): PlainClient {
  let list: PlainList = [];
  let token = new Uint8Array(0);
  return {
    list: () => list,
    async update(drops = false) {
      const received = await ask(token);
      const { isFull, removals, additions, checksum } = received;
      if (
        !isFull &&
        removals.length + additions.length === 0 &&
        hex(token) === hex(received.token)
      ) {
        return "none";
      }
      const updated = plainUpdate(isFull ? [] : list, removals, additions, checksum!);
      if (drops === false || (drops === "differences" && isFull)) {
        list = updated;
        token = Uint8Array.from(received.token);
      }
      return isFull ? "full" : "partial";
    },
  };
}

/** The fields of v5 for prefixes of more than four bytes, with the number of 64-bit parts of the first prefix. */
const LONGER_ADDITIONS = [
  { field: 9, parts: 1 },
  { field: 10, parts: 2 },
  { field: 11, parts: 4 },
] as const;

/** Returns the prefixes that a v5 message adds. They are numbers with the most significant byte first. */
function v5Additions(list: PlainFields): string[] {
  const four = messagesAt(list, 4).flatMap(readRice);
  const longer = LONGER_ADDITIONS.flatMap(({ field, parts }) =>
    messagesAt(list, field).flatMap((coded) => {
      let first = 0n;
      for (let part = 1; part <= parts; part++) {
        const value = coded.get(part)?.[0] ?? 0n;
        // The first part is a varint, and the others have eight bytes, the least significant one first.
        first <<= 64n;
        first += typeof value === "bigint" ? value : Buffer.from(value).readBigUInt64LE();
      }
      const [parameter, count] = [numberAt(coded, parts + 1), numberAt(coded, parts + 2)];
      const data = bytesAt(coded, parts + 3);
      const values = plainDecode({ first, parameter, count, data }, parts * 64);
      if (values === null) throw new Error("the Rice codes are damaged");
      return values.map((value) => value.toString(16).padStart(parts * 16, "0"));
    }),
  );
  return [...four.map((number) => number.toString(16).padStart(8, "0")), ...longer];
}

/** Asks `hashLists:batchGet` for a list, as Firefox does. */
export function v5Client(send: Send, name: string, parameters = ""): PlainClient {
  return plainClient(async (token) => {
    const version = encodeURIComponent(Buffer.from(token).toString("base64"));
    const target = `/v5/hashLists:batchGet?key=k&names=se-4b&names=${name}&version=&version=${version}${parameters}`;
    const list = messagesAt(readFields(await send(target)), 1)[1]!;
    const [removals] = messagesAt(list, 5);
    return {
      token: bytesAt(list, 2),
      isFull: numberAt(list, 3) === 0,
      removals: removals === undefined ? [] : readRice(removals),
      additions: v5Additions(list),
      checksum: list.has(7) ? hex(bytesAt(list, 7)) : null,
    };
  });
}

/** Asks `threatListUpdates:fetch` for a list, as browsers do: with the message of a POST in a GET. */
export function v4Client(send: Send, threatType: number): PlainClient {
  return plainClient(async (token) => {
    const constraints = field(4, 2);
    const request = Buffer.concat([
      field(1, threatType),
      field(2, 2),
      field(5, 1),
      field(3, token),
      field(4, constraints),
    ]);
    const message = Buffer.from(field(3, request)).toString("base64url");
    const target = `/v4/threatListUpdates:fetch?$ct=application/x-protobuf&key=k&$httpMethod=POST&$req=${message}`;
    const body = readFields(await send(target, { "x-http-method-override": "POST" }));
    const list = messagesAt(body, 1)[0]!;
    const removals = messagesAt(list, 6).flatMap((set) => readRice(messagesAt(set, 5)[0]!));
    const additions = messagesAt(list, 5).flatMap((set) => readRice(messagesAt(set, 4)[0]!));
    return {
      token: bytesAt(list, 7),
      isFull: numberAt(list, 4) === 2,
      removals,
      additions: littleEndianPrefixes(additions),
      checksum: hex(bytesAt(messagesAt(list, 8)[0]!, 1)),
    };
  });
}

interface JsonRice {
  readonly firstValue?: string;
  readonly riceParameter?: number;
  readonly entryCount?: number;
  readonly encodedData?: string;
}

const jsonRice = (rice: JsonRice) =>
  readRiceData(
    Number(rice.firstValue ?? 0),
    rice.riceParameter ?? 0,
    rice.entryCount ?? 0,
    Buffer.from(rice.encodedData ?? "", "base64"),
  );

/** Returns the prefixes of four bytes in a base64 text. */
const rawPrefixes = (base64: string) =>
  Buffer.from(base64, "base64").toString("hex").match(/.{8}/g) ?? [];

/** Asks `threatLists:computeDiff` for a list in JSON. */
export function webRiskClient(
  send: Send,
  threatType: string,
  compression: "RAW" | "RICE",
): PlainClient {
  return plainClient(async (token) => {
    const version = encodeURIComponent(Buffer.from(token).toString("base64"));
    const target = `/v1/threatLists:computeDiff?key=k&threatType=${threatType}&versionToken=${version}&constraints.supportedCompressions=${compression}`;
    const diff = JSON.parse(Buffer.from(await send(target)).toString());
    const { rawHashes = [], riceHashes } = diff.additions ?? {};
    const { rawIndices, riceIndices } = diff.removals ?? {};
    return {
      token: Buffer.from(diff.newVersionToken ?? "", "base64"),
      isFull: diff.responseType === "RESET",
      removals: rawIndices?.indices ?? (riceIndices === undefined ? [] : jsonRice(riceIndices)),
      additions: [
        ...rawHashes.flatMap((each: { rawHashes: string }) => rawPrefixes(each.rawHashes)),
        ...(riceHashes === undefined ? [] : littleEndianPrefixes(jsonRice(riceHashes))),
      ],
      checksum: Buffer.from(diff.checksum.sha256, "base64").toString("hex"),
    };
  });
}
