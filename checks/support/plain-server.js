import { plainLists } from "./plain-server/lists.js";
import { safeBrowsing4 } from "./plain-server/v4.js";
import { safeBrowsing5 } from "./plain-server/v5.js";
import { webRisk } from "./plain-server/web-risk.js";

/*
 * A server of Safe Browsing v5, v4 and Web Risk for tests of clients, written from the published descriptions of the
 * protocols without using any of the packages, so that it exposes mistakes in them. The server is slow and plain on
 * purpose: prefixes are hexadecimal text, bits are arrays of 0 and 1, and a message is built field by field.
 */

const FORMATS = { json: "json", proto: "protobuf" };

/** @typedef {import("./plain-server/lists.js").PlainList} PlainList */

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
 * @param {Record<string, PlainList>} options.lists The lists by their names in v5. Tests change them between requests.
 * @param {{ update: number | null; found: number; notFound: number }} options.waits In milliseconds. If `update` is
 * `null`, answers do not say when to ask again.
 * @param {() => number} [options.now]
 */
export function plainServer({ lists, waits, now = Date.now }) {
  /** @type {{ method: string; url: string; body: Uint8Array | string | null }[]} The requests so far. */
  const requests = [];
  const plain = plainLists(lists);
  const answer5 = safeBrowsing5(plain, waits);
  const answer4 = safeBrowsing4(plain, waits);
  const answerWebRisk = webRisk(plain, waits, now);

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
        ? answer5(path, parameters)
        : path.startsWith("/v4/")
          ? answer4(request)
          : answerWebRisk(request);
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
