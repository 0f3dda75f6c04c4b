import { createHash } from "node:crypto";

/*
 * A server of Safe Browsing v5, v4 and Web Risk for tests of clients, written from the published descriptions of the
 * protocols, without any of the packages, so that it exposes their mistakes. It is slow and plain on purpose: prefixes
 * are hexadecimal text, bits are arrays of 0 and 1, and a message is built field by field.
 */

// Protobuf

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);

function fixed64(field, value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint((field << 3) | 1), bytes]);
}

function bytesField(field, value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

const message = (field, parts) => bytesField(field, Buffer.concat(parts));

/** Reads varints from bytes, one after the other. */
function varintReader(bytes) {
  let at = 0;
  return {
    isAtEnd: () => at >= bytes.length,
    next() {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes[at++];
        value |= BigInt(byte & 127) << shift;
        if (byte < 128) return value;
      }
    },
    take(length) {
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}

/** Each field of a message as `[number, value]`: a bigint, or a Buffer. */
function fieldsOf(bytes) {
  const reader = varintReader(bytes);
  const fields = [];
  while (!reader.isAtEnd()) {
    const tag = Number(reader.next());
    if ((tag & 7) === 0) fields.push([tag >> 3, reader.next()]);
    else if ((tag & 7) === 2) fields.push([tag >> 3, reader.take(Number(reader.next()))]);
    else throw new Error(`a field of wire type ${tag & 7}`);
  }
  return fields;
}

const all = (fields, number) => fields.filter(([n]) => n === number).map(([, value]) => value);
const first = (fields, number) => all(fields, number)[0];

/** The values of a repeated enumeration or integer, packed or not. */
function integers(fields, number) {
  return all(fields, number).flatMap((value) => {
    if (typeof value === "bigint") return [Number(value)];
    const reader = varintReader(value);
    const values = [];
    while (!reader.isAtEnd()) values.push(Number(reader.next()));
    return values;
  });
}

const duration = (milliseconds) => [
  number(1, Math.floor(milliseconds / 1000)),
  number(2, (milliseconds % 1000) * 1e6),
];

// Rice codes: "Compression" in the pages on v4, Web Risk and v5

/** The codes of ascending numbers: the first one, and then each difference as quotient and remainder. */
function rice(numbers, smallestParameter, largestParameter) {
  let sum = 0n;
  for (let i = 1; i < numbers.length; i++) sum += numbers[i] - numbers[i - 1];
  const mean = numbers.length > 1 ? sum / BigInt(numbers.length - 1) : 0n;
  let parameter = smallestParameter;
  while (parameter < largestParameter && 1n << BigInt(parameter + 1) <= mean) parameter++;
  const bits = [];
  for (let i = 1; i < numbers.length; i++) {
    const delta = numbers[i] - numbers[i - 1];
    for (let quotient = delta >> BigInt(parameter); quotient > 0n; quotient--) bits.push(1);
    bits.push(0);
    for (let bit = 0; bit < parameter; bit++) bits.push(Number((delta >> BigInt(bit)) & 1n));
  }
  const data = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [i, bit] of bits.entries()) data[i >> 3] |= bit << (i & 7);
  return { first: numbers[0] ?? 0n, parameter, count: Math.max(numbers.length - 1, 0), data };
}

/** The fields of a code. Its first number has one field for every 64 bits, the highest ones first. */
function riceFields({ first, parameter, count, data }, parts = 1) {
  const part = (index) => BigInt.asUintN(64, first >> BigInt(64 * (parts - 1 - index)));
  const lower = Array.from({ length: parts - 1 }, (_, i) => fixed64(i + 2, part(i + 1)));
  return [
    ...[number(1, part(0)), ...lower],
    ...[number(parts + 1, parameter), number(parts + 2, count), bytesField(parts + 3, data)],
  ];
}

const byValue = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** A prefix as a number whose first byte is the lowest one. */
const littleEndian = (hex) => BigInt(Buffer.from(hex, "hex").readUInt32LE());

// Lists

const sha256 = (bytes) => createHash("sha256").update(bytes).digest();
const checksumOf = (prefixes) => sha256(Buffer.from(prefixes.join(""), "hex"));

/** The indices of entries to remove, and the entries to add, between two sorted lists of hexadecimal texts. */
function changes(from, to) {
  const before = new Set(from);
  const after = new Set(to);
  return {
    removals: from.flatMap((prefix, index) => (after.has(prefix) ? [] : [index])),
    additions: to.filter((prefix) => !before.has(prefix)),
  };
}

/** Additions in v5, by the bytes of a prefix: their field, the parts of the first number, and the Rice parameters. */
const ADDITIONS_5 = {
  4: { field: 4, parts: 1, parameters: [3, 30] },
  8: { field: 9, parts: 1, parameters: [35, 62] },
  16: { field: 10, parts: 2, parameters: [99, 126] },
  32: { field: 11, parts: 4, parameters: [227, 254] },
};

/** The numbers of threat types, the same ones in all three protocols. */
const THREATS = { MALWARE: 1, SOCIAL_ENGINEERING: 2, UNWANTED_SOFTWARE: 3 };
const PLATFORMS = {
  WINDOWS: 1,
  LINUX: 2,
  ANDROID: 3,
  OSX: 4,
  IOS: 5,
  ANY_PLATFORM: 6,
  ALL_PLATFORMS: 7,
  CHROME: 8,
};
const ENTRIES = { URL: 1, EXECUTABLE: 2, IP_RANGE: 3 };
const COMPRESSIONS = { RAW: 1, RICE: 2 };
const nameIn = (names, value) =>
  Object.keys(names).find((name) => name === value || names[name] === Number(value)) ??
  String(value);

/**
 * @typedef {object} PlainList A list. The server answers with its newest version.
 * @property {"MALWARE" | "SOCIAL_ENGINEERING" | "UNWANTED_SOFTWARE"} threatType
 * @property {string[][]} versions From the oldest to the newest one; prefixes are hexadecimal text.
 * @property {string[]} fullHashes In hexadecimal text.
 */

/**
 * @typedef {object} PlainRequest
 * @property {string} method
 * @property {string} url
 * @property {Headers} [headers]
 * @property {Uint8Array | string | null} [body]
 */

/**
 * Makes a server.
 *
 * @param {object} options
 * @param {Record<string, PlainList>} options.lists By their names in v5. Tests change them between requests.
 * @param {{ update: number | null; found: number; notFound: number }} options.waits In milliseconds. If `update` is
 * `null`, answers do not say when to ask again.
 * @param {() => number} [options.now]
 */
export function plainServer({ lists, waits, now = Date.now }) {
  /** @type {{ method: string; url: string; body: Uint8Array | string | null }[]} The requests so far. */
  const requests = [];

  const tokenOf = (name) => Buffer.from(`${name}#${lists[name].versions.length - 1}`);

  /** What brings a client with this token to the newest version; `null` when the token means nothing to this server. */
  function updateOf(name, token) {
    const { versions } = lists[name];
    const newest = [...versions.at(-1)].sort();
    const [tokenName, number] = Buffer.from(token).toString().split("#");
    const known = tokenName === name && /^\d+$/.test(number ?? "") ? versions[number] : undefined;
    if (known === undefined) return { full: true, removals: [], additions: newest, newest };
    return { full: false, ...changes([...known].sort(), newest), newest };
  }

  const groups = (prefixes) =>
    [...new Set(prefixes.map((prefix) => prefix.length / 2))].map((length) => [
      length,
      prefixes.filter((prefix) => prefix.length / 2 === length),
    ]);

  const fullHashesOf = (name, prefix) =>
    lists[name].fullHashes.filter((hash) => hash.startsWith(prefix));

  // Safe Browsing v5

  function additions5(prefixes) {
    return groups(prefixes).map(([length, group]) => {
      const { field, parts, parameters } = ADDITIONS_5[length];
      const code = rice(
        group.map((hex) => BigInt(`0x${hex}`)),
        ...parameters,
      );
      return message(field, riceFields(code, parts));
    });
  }

  function hashList(name, tokens) {
    if (lists[name] === undefined) {
      return [bytesField(1, name), bytesField(7, sha256(""))];
    }
    const token = tokens.find((bytes) => bytes.toString().startsWith(`${name}#`)) ?? "";
    const update = updateOf(name, token);
    const parts = [bytesField(1, name), bytesField(2, tokenOf(name))];
    if (!update.full) parts.push(number(3, 1));
    parts.push(...additions5(update.additions));
    if (update.removals.length > 0) {
      const code = rice(update.removals.map(BigInt), 3, 30);
      parts.push(message(5, riceFields(code)));
    }
    if (waits.update !== null) parts.push(message(6, duration(waits.update)));
    parts.push(bytesField(7, checksumOf(update.newest)));
    return parts;
  }

  function v5(path, parameters) {
    const encoded = parameters.get("$req");
    const fields = encoded === null ? [] : fieldsOf(Buffer.from(encoded, "base64"));
    const asked = (name, field) => [
      ...parameters.getAll(name).map((text) => Buffer.from(text, "base64")),
      ...all(fields, field),
    ];
    if (path === "/v5/hashLists:batchGet") {
      const names = [...parameters.getAll("names"), ...all(fields, 1).map(String)];
      const tokens = asked("version", 2);
      return Buffer.concat(names.map((name) => message(1, hashList(name, tokens))));
    }
    if (path === "/v5/hashLists") {
      return Buffer.concat(Object.keys(lists).map((name) => message(1, [bytesField(1, name)])));
    }
    if (path === "/v5/hashes:search") {
      const prefixes = asked("hashPrefixes", 1).map((bytes) => bytes.toString("hex"));
      if (prefixes.some((prefix) => prefix.length !== 8) || prefixes.length > 1000) return null;
      const found = new Map();
      for (const prefix of prefixes) {
        for (const [name, { threatType }] of Object.entries(lists)) {
          for (const hash of fullHashesOf(name, prefix)) {
            found.set(hash, (found.get(hash) ?? new Set()).add(threatType));
          }
        }
      }
      const answers = [...found].map(([hash, types]) =>
        message(1, [
          bytesField(1, Buffer.from(hash, "hex")),
          ...[...types].map((type) => message(2, [number(1, THREATS[type])])),
        ]),
      );
      return Buffer.concat([...answers, message(2, duration(waits.found))]);
    }
    return null;
  }

  // Safe Browsing v4 and Web Risk: prefixes in groups by length, of which those of four bytes may be Rice codes

  function additionSets(prefixes, isRice) {
    return groups(prefixes).map(([length, group]) =>
      isRice && length === 4
        ? { rice: rice(group.map(littleEndian).sort(byValue), 2, 28) }
        : { length, bytes: Buffer.from(group.join(""), "hex") },
    );
  }

  const riceJson = (code, countName) => ({
    firstValue: String(code.first),
    riceParameter: code.parameter,
    [countName]: code.count,
    encodedData: code.data.toString("base64"),
  });
  const rawFields = (set) => [number(1, set.length), bytesField(2, set.bytes)];
  const rawJson = (set) => ({ prefixSize: set.length, rawHashes: set.bytes.toString("base64") });
  const nameOfThreat = (threat) =>
    Object.keys(lists).find((name) => lists[name].threatType === threat);

  /** The newest version of the list with a threat type, for a client with a token. An unknown list is an empty one. */
  function updateOfThreat({ threat, token, isRice }) {
    const name = nameOfThreat(threat);
    const update =
      name === undefined
        ? { full: true, removals: [], additions: [], newest: [] }
        : updateOf(name, token);
    return {
      ...update,
      sets: additionSets(update.additions, isRice),
      token: name === undefined ? Buffer.from("none") : tokenOf(name),
      checksum: checksumOf(update.newest),
    };
  }

  function removalFields4({ removals }, isRice) {
    if (removals.length === 0) return [];
    if (isRice) {
      const code = rice(removals.map(BigInt), 2, 28);
      return [message(6, [number(1, 2), message(5, riceFields(code))])];
    }
    const indices = removals.map((index) => number(1, index));
    return [message(6, [number(1, 1), message(3, indices)])];
  }

  function updates4(asked) {
    const updates = asked.map((list) => [list, updateOfThreat(list)]);
    return {
      protobuf: () =>
        Buffer.concat([
          ...updates.map(([{ threat, platform, entry, isRice }, update]) =>
            message(1, [
              number(1, THREATS[threat] ?? 0),
              number(2, ENTRIES[entry]),
              number(3, PLATFORMS[platform]),
              number(4, update.full ? 2 : 1),
              ...update.sets.map((set) =>
                message(
                  5,
                  set.rice === undefined
                    ? [number(1, 1), message(2, rawFields(set))]
                    : [number(1, 2), message(4, riceFields(set.rice))],
                ),
              ),
              ...removalFields4(update, isRice),
              bytesField(7, update.token),
              message(8, [bytesField(1, update.checksum)]),
            ]),
          ),
          ...(waits.update === null ? [] : [message(2, duration(waits.update))]),
        ]),
      json: () => ({
        listUpdateResponses: updates.map(([{ threat, platform, entry }, update]) => ({
          threatType: threat,
          threatEntryType: entry,
          platformType: platform,
          responseType: update.full ? "FULL_UPDATE" : "PARTIAL_UPDATE",
          additions: update.sets.map((set) =>
            set.rice === undefined
              ? { compressionType: "RAW", rawHashes: rawJson(set) }
              : { compressionType: "RICE", riceHashes: riceJson(set.rice, "numEntries") },
          ),
          removals:
            update.removals.length === 0
              ? []
              : [{ compressionType: "RAW", rawIndices: { indices: update.removals } }],
          newClientState: update.token.toString("base64"),
          checksum: { sha256: update.checksum.toString("base64") },
        })),
        ...(waits.update === null ? {} : { minimumWaitDuration: `${waits.update / 1000}s` }),
      }),
    };
  }

  function fullHashes4({ threats, platforms, entries, prefixes }) {
    const matches = threats.flatMap((threat) => {
      const name = nameOfThreat(threat);
      if (name === undefined) return [];
      return prefixes.flatMap((prefix) =>
        fullHashesOf(name, prefix).flatMap((hash) =>
          // The lists are those of every platform, and the answer has each combination of types that was asked for.
          platforms.flatMap((platform) =>
            entries.map((entry) => ({ threat, platform, entry, hash: Buffer.from(hash, "hex") })),
          ),
        ),
      );
    });
    return {
      protobuf: () =>
        Buffer.concat([
          ...matches.map(({ threat, platform, entry, hash }) =>
            message(1, [
              number(1, THREATS[threat]),
              number(2, PLATFORMS[platform]),
              message(3, [bytesField(1, hash)]),
              message(5, duration(waits.found)),
              number(6, ENTRIES[entry]),
            ]),
          ),
          message(3, duration(waits.notFound)),
        ]),
      json: () => ({
        matches: matches.map(({ threat, platform, entry, hash }) => ({
          threatType: threat,
          platformType: platform,
          threatEntryType: entry,
          threat: { hash: hash.toString("base64") },
          cacheDuration: `${waits.found / 1000}s`,
        })),
        negativeCacheDuration: `${waits.notFound / 1000}s`,
      }),
    };
  }

  const readUpdates4 = {
    json: (body) =>
      JSON.parse(body).listUpdateRequests.map((request) => ({
        threat: nameIn(THREATS, request.threatType),
        platform: nameIn(PLATFORMS, request.platformType),
        entry: nameIn(ENTRIES, request.threatEntryType),
        token: Buffer.from(request.state ?? "", "base64"),
        isRice: (request.constraints?.supportedCompressions ?? []).some(
          (name) => nameIn(COMPRESSIONS, name) === "RICE",
        ),
      })),
    protobuf: (body) =>
      all(fieldsOf(body), 3).map((request) => {
        const fields = fieldsOf(request);
        const constraints = fieldsOf(first(fields, 4) ?? Buffer.alloc(0));
        return {
          threat: nameIn(THREATS, first(fields, 1)),
          platform: nameIn(PLATFORMS, first(fields, 2)),
          entry: nameIn(ENTRIES, first(fields, 5)),
          token: first(fields, 3) ?? Buffer.alloc(0),
          isRice: integers(constraints, 4).includes(2),
        };
      }),
  };

  const readSearch4 = {
    json: (body) => {
      const info = JSON.parse(body).threatInfo;
      return {
        threats: info.threatTypes.map((value) => nameIn(THREATS, value)),
        platforms: info.platformTypes.map((value) => nameIn(PLATFORMS, value)),
        entries: info.threatEntryTypes.map((value) => nameIn(ENTRIES, value)),
        prefixes: info.threatEntries.map(({ hash }) => Buffer.from(hash, "base64").toString("hex")),
      };
    },
    protobuf: (body) => {
      const info = fieldsOf(first(fieldsOf(body), 3));
      return {
        threats: integers(info, 1).map((value) => nameIn(THREATS, value)),
        platforms: integers(info, 2).map((value) => nameIn(PLATFORMS, value)),
        entries: integers(info, 4).map((value) => nameIn(ENTRIES, value)),
        prefixes: all(info, 3).map((entry) => first(fieldsOf(entry), 1).toString("hex")),
      };
    },
  };

  const lists4 = {
    json: () => ({
      threatLists: Object.values(lists).map(({ threatType }) => ({
        threatType,
        platformType: "ANY_PLATFORM",
        threatEntryType: "URL",
      })),
    }),
    protobuf: () =>
      Buffer.concat(
        Object.values(lists).map(({ threatType }) =>
          message(1, [
            number(1, THREATS[threatType]),
            number(2, PLATFORMS.ANY_PLATFORM),
            number(3, ENTRIES.URL),
          ]),
        ),
      ),
  };

  function v4({ path, format, bodyFormat, body }) {
    if (path === "/v4/threatLists") return lists4[format]();
    if (path === "/v4/threatListUpdates:fetch") {
      return updates4(readUpdates4[bodyFormat](body))[format]();
    }
    if (path === "/v4/fullHashes:find") return fullHashes4(readSearch4[bodyFormat](body))[format]();
    return null;
  }

  // Web Risk

  function webRisk({ path, parameters, format }) {
    if (path === "/v1/threatLists:computeDiff") {
      const isRice = parameters
        .getAll("constraints.supportedCompressions")
        .some((name) => nameIn(COMPRESSIONS, name) === "RICE");
      const update = updateOfThreat({
        threat: nameIn(THREATS, parameters.get("threatType")),
        token: Buffer.from(parameters.get("versionToken") ?? "", "base64"),
        isRice,
      });
      const next = now() + (waits.update ?? 0);
      if (format === "protobuf") {
        const indices = Buffer.concat(update.removals.map((index) => varint(index)));
        return Buffer.concat([
          number(4, update.full ? 2 : 1),
          ...(waits.update === null ? [] : [message(2, duration(next))]),
          message(
            5,
            update.sets.map((set) =>
              set.rice === undefined
                ? message(1, rawFields(set))
                : message(2, riceFields(set.rice)),
            ),
          ),
          ...(update.removals.length === 0
            ? []
            : [
                message(
                  6,
                  isRice
                    ? [message(2, riceFields(rice(update.removals.map(BigInt), 2, 28)))]
                    : [message(1, [bytesField(1, indices)])],
                ),
              ]),
          bytesField(7, update.token),
          message(8, [bytesField(1, update.checksum)]),
        ]);
      }
      const raw = update.sets.filter((set) => set.rice === undefined);
      const coded = update.sets.find((set) => set.rice !== undefined);
      return {
        responseType: update.full ? "RESET" : "DIFF",
        ...(waits.update === null ? {} : { recommendedNextDiff: new Date(next).toISOString() }),
        additions: {
          rawHashes: raw.map(rawJson),
          ...(coded === undefined ? {} : { riceHashes: riceJson(coded.rice, "entryCount") }),
        },
        removals: { rawIndices: { indices: update.removals } },
        newVersionToken: update.token.toString("base64"),
        checksum: { sha256: update.checksum.toString("base64") },
      };
    }
    if (path === "/v1/hashes:search") {
      const prefix = Buffer.from(parameters.get("hashPrefix"), "base64").toString("hex");
      const asked = parameters.getAll("threatTypes").map((value) => nameIn(THREATS, value));
      const found = new Map();
      for (const threat of asked) {
        const name = nameOfThreat(threat);
        if (name === undefined) continue;
        for (const hash of fullHashesOf(name, prefix)) {
          found.set(hash, [...(found.get(hash) ?? []), threat]);
        }
      }
      const [foundUntil, notFoundUntil] = [now() + waits.found, now() + waits.notFound];
      if (format === "protobuf") {
        return Buffer.concat([
          ...[...found].map(([hash, threats]) =>
            message(1, [
              ...threats.map((threat) => number(1, THREATS[threat])),
              bytesField(2, Buffer.from(hash, "hex")),
              message(3, duration(foundUntil)),
            ]),
          ),
          message(2, duration(notFoundUntil)),
        ]);
      }
      return {
        threats: [...found].map(([hash, threats]) => ({
          threatTypes: threats,
          hash: Buffer.from(hash, "hex").toString("base64"),
          expireTime: new Date(foundUntil).toISOString(),
        })),
        negativeExpireTime: new Date(notFoundUntil).toISOString(),
      };
    }
    return null;
  }

  const FORMATS = { json: "json", proto: "protobuf" };

  return {
    requests,
    /**
     * @param {PlainRequest} request
     * @returns {{ status: number; headers: Record<string, string>; body: Buffer }}
     */
    answer({ method, url, headers = new Headers(), body = null }) {
      requests.push({ method, url, body });
      const { pathname: path, searchParams: parameters } = new URL(url, "http://localhost");
      const encoded = parameters.get("$req");
      const type = headers.get("content-type") ?? parameters.get("$ct") ?? "";
      const bodyFormat =
        encoded !== null || type.startsWith("application/x-protobuf") ? "protobuf" : "json";
      const asked = parameters.get("alt") ?? parameters.get("$alt");
      const format =
        asked === null ? (path.startsWith("/v5/") ? "protobuf" : bodyFormat) : FORMATS[asked];
      const bytes = Buffer.from(
        encoded === null ? (body ?? "") : encoded,
        encoded === null ? "utf8" : "base64",
      );
      const request = { path, parameters, format, bodyFormat, body: bytes };
      const answer = path.startsWith("/v5/")
        ? v5(path, parameters)
        : path.startsWith("/v4/")
          ? v4(request)
          : webRisk(request);
      if (answer === null) return { status: 404, headers: {}, body: Buffer.alloc(0) };
      return Buffer.isBuffer(answer)
        ? { status: 200, headers: { "content-type": "application/x-protobuf" }, body: answer }
        : {
            status: 200,
            headers: { "content-type": "application/json; charset=utf-8" },
            body: Buffer.from(JSON.stringify(answer)),
          };
    },
  };
}
