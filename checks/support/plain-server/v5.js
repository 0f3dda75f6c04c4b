import { checksumOf, groups, sha256 } from "./lists.js";
import { THREATS } from "./names.js";
import { all, bytesField, duration, fieldsOf, message, number } from "./protobuf.js";
import { rice, riceFields } from "./rice.js";

/**
 * Additions in v5, by the prefix length in bytes: the field, the parts of the first number, and the limits of the Rice
 * parameter.
 */
const ADDITIONS_5 = {
  4: { field: 4, parts: 1, parameters: [3, 30] },
  8: { field: 9, parts: 1, parameters: [35, 62] },
  16: { field: 10, parts: 2, parameters: [99, 126] },
  32: { field: 11, parts: 4, parameters: [227, 254] },
};

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

/** Returns a function that answers requests of Safe Browsing v5; `null` if it does not know the path. */
export function safeBrowsing5({ lists, tokenOf, updateOf, fullHashesOf }, waits) {
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

  return function v5(path, parameters) {
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
  };
}
