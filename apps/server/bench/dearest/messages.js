// Encodes requests as the bytes to send.

/** Formats the query of a target. An array becomes several parameters. */
export function query(parameters) {
  const all = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}=${encodeURIComponent(each)}`),
  );
  return `?${all.join("&")}`;
}

function headersOf(headers) {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

export function get(target, headers = {}) {
  return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n${headersOf(headers)}\r\n`, "latin1");
}

export function post(target, type, body, headers = {}) {
  const bytes = Buffer.from(body);
  const head = { "Content-Type": type, "Content-Length": bytes.length, ...headers };
  return Buffer.concat([
    Buffer.from(`POST ${target} HTTP/1.1\r\nHost: a\r\n${headersOf(head)}\r\n`, "latin1"),
    bytes,
  ]);
}

/** Encodes a request that `writeRequest` of @x/wire made. */
export function sent({ method, target, headers, body }) {
  return method === "GET"
    ? get(target, headers)
    : post(target, headers["Content-Type"], body, {
        ...headers,
        "Content-Type": headers["Content-Type"],
      });
}
