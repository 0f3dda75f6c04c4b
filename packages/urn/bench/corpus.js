/**
 * The texts for the benchmark: uuid, isbn, ietf, oid and nbn URNs in equal shares, and one text in six that is not a
 * URN. The texts are made from a counter, so every run uses the same texts.
 */
export function corpus(count) {
  const hex = (n, length) => n.toString(16).padStart(length, "0").slice(-length);
  const makers = [
    (n) => `urn:uuid:${hex(n * 2654435761, 8)}-7dec-11d0-a765-${hex(n * 40503, 12)}`,
    (n) =>
      `${n % 2 === 0 ? "URN:ISBN" : "urn:isbn"}:0-395-${String(10000 + (n % 90000))}-${n % 10}`,
    (n) => `urn:ietf:params:xml:ns:yang:module-${n % 9999}`,
    (n) => `urn:oid:1.3.6.1.4.1.${n % 65536}.${n % 97}.1`,
    (n) => `urn:nbn:de:bvb:19-%c3%a4-epub-${n % 100000}-${n % 9}`,
    (n) =>
      [
        `urn:uuid:${hex(n, 8)} 7dec`,
        `urn:-isbn:${n}`,
        `urn:oid:1.3.${n}%4g`,
        `urn:nbn:de:${n}<`,
        `https://example.com/${n}`,
        `urn:${"a".repeat(33)}:${n}`,
      ][n % 6],
  ];
  return Array.from({ length: count }, (_, i) => flat(makers[i % makers.length](i * 7919 + 17)));
}

/** The text in one piece of memory, as if read from a file, so that the engine does not join it on first use. */
function flat(text) {
  return Buffer.from(text).toString("latin1");
}

/** Pairs each name with another spelling of it, and with a different name. */
export function pairs(names) {
  return names.flatMap((name) => {
    const nidEnd = name.indexOf(":", 4);
    const sameName =
      name.slice(0, nidEnd).toUpperCase() +
      name.slice(nidEnd).replace(/%[0-9a-f]{2}/g, (digits) => digits.toUpperCase());
    return [
      [name, flat(sameName)],
      [name, flat(`${name.slice(0, -1)}!`)],
    ];
  });
}
