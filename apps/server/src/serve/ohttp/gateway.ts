import { randomUUID } from "node:crypto";
import {
  ALGORITHMS,
  createGateway,
  encodeKeyConfigs,
  type Gateway,
  type GatewayKey,
  generateGatewayKey,
  type OhttpError,
  type OpenedRequest,
} from "@x/ohttp";
import {
  type BinaryRequest,
  decodeRequest,
  encodeResponse,
  type Field,
} from "@x/ohttp/binary-http";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Api, ApiRequest } from "../api.ts";
import { wholeBody } from "../http/large-answer.ts";
import { errorReply, FOR_ALL_ORIGINS, type LargeReply, type Reply } from "../http/reply.ts";
import type { PlainRequest } from "../http/request.ts";
import type { Route } from "../operator-routes.ts";

const KEYS_TYPE = "application/ohttp-keys";
const REQUEST_TYPE = "message/ohttp-req";
const RESPONSE_TYPE = "message/ohttp-res";

/** The path at which clients expect a gateway and its keys (RFC 9540 §4). */
const GATEWAY_PATH = "/.well-known/ohttp-gateway";

/**
 * Answers are padded to a multiple of this many bytes before encryption, so that the relay cannot tell whether a search
 * found something.
 */
const PADDED_TO = 1024;
/**
 * Longer answers, such as whole lists of many millions of entries, are refused, because encryption needs a second copy.
 */
const MAX_ANSWER_BYTES = 16 * 2 ** 20;
const ROUTE = "ohttp";
const PROBLEM_TYPE = "application/problem+json";
/** This type tells clients that they need another key (RFC 9458 §5.3). */
const KEY_PROBLEM = "https://iana.org/assignments/http-problem-types#ohttp-key";
const KEY_ERRORS: ReadonlySet<string> = new Set(["key-unknown", "algorithms-unknown"]);

function problem(status: number, type: string, title: string): Reply {
  return {
    route: ROUTE,
    status,
    headers: { "Content-Type": PROBLEM_TYPE, "Cache-Control": "no-store", ...FOR_ALL_ORIGINS },
    body: Buffer.from(`${JSON.stringify({ type, status, title })}\n`),
  };
}

/** The reply to a request that could not be decrypted. The answer is not encrypted, because there is no key for it. */
function refusal(error: unknown): Reply {
  if (!hasName<OhttpError>(error, "OhttpError")) throw error;
  return KEY_ERRORS.has(error.code)
    ? problem(400, KEY_PROBLEM, "The key is unknown, or no longer in use: get the current one.")
    : problem(400, "about:blank", "The request could not be decrypted.");
}

/** A host in lower case, without the default port of its scheme. */
function hostOf(authority: string, scheme: string): string {
  const port = scheme === "http" ? /:80$/ : /:443$/;
  return authority.toLowerCase().replace(port, "");
}

/** The value of a field; several values are joined by commas, as in HTTP. */
function headerOf(fields: readonly Field[], name: string): string | null {
  const values = fields.filter(([key]) => key === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(", ");
}

/** Whether a decrypted request is for this server, that is, for the host of the outer request. */
function isForThisServer(
  { scheme, authority, headers = [] }: BinaryRequest,
  outer: PlainRequest,
): boolean {
  const host = authority === "" ? (headerOf(headers, "host") ?? "") : authority;
  const here = outer.headers.get("host") ?? "";
  return /^https?$/i.test(scheme) && hostOf(host, scheme) === hostOf(here, scheme);
}

/** A decrypted request in the form that the API reads. Only the relay's network comes from the outer request. */
function apiRequest(request: Required<BinaryRequest>, outer: PlainRequest): ApiRequest {
  const { method, path: target, headers, content: body } = request;
  return {
    method,
    target,
    body,
    headers: { get: (name) => headerOf(headers, name) },
    // All clients of a relay look the same, so each request counts as one from a new client.
    client: () => randomUUID(),
    network: () => outer.network(),
  };
}

/** The answer to a decrypted request. */
async function innerReply(
  opened: OpenedRequest,
  outer: PlainRequest,
  api: Api,
): Promise<Reply | LargeReply> {
  let request: Required<BinaryRequest>;
  try {
    request = decodeRequest(opened.request);
  } catch (error) {
    if (!hasName<OhttpError>(error, "OhttpError")) throw error;
    return errorReply(ROUTE, 400, `The message is not a request: ${error.message}`);
  }
  if (!isForThisServer(request, outer)) {
    return errorReply(ROUTE, 421, "This server forwards nothing: ask for its own host.");
  }
  if (request.method !== "GET" && request.method !== "POST") {
    return errorReply(ROUTE, 405, "Use GET or POST.");
  }
  return api.answer(apiRequest(request, outer));
}

/** An answer as a binary HTTP message. */
function binaryReply(reply: Reply | LargeReply): Uint8Array {
  const { status, headers } = reply;
  const content = "large" in reply ? wholeBody(reply.large) : reply.body;
  const fields = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return encodeResponse({ status, headers: fields, content }, { padTo: PADDED_TO });
}

/**
 * The routes of a gateway for Oblivious HTTP (RFC 9458): one for its key and one for requests to the API. The gateway
 * forwards nothing to other servers. A replayed request is answered again.
 */
export function gatewayRoutes({ gateway, published }: OhttpKeys, api: Api): readonly Route[] {
  async function post(outer: PlainRequest): Promise<Reply> {
    if (outer.headers.get("content-type")?.trim().toLowerCase() !== REQUEST_TYPE) {
      return problem(415, "about:blank", `The content type must be ${REQUEST_TYPE}.`);
    }
    let opened: OpenedRequest;
    try {
      opened = await gateway.openRequest(outer.body);
    } catch (error) {
      return refusal(error);
    }
    let reply = await innerReply(opened, outer, api);
    const length = "large" in reply ? reply.large.length : reply.body.length;
    if (length > MAX_ANSWER_BYTES) {
      reply = errorReply(ROUTE, 413, "The answer is too long for Oblivious HTTP.");
    }
    return {
      route: ROUTE,
      status: 200,
      headers: { "Content-Type": RESPONSE_TYPE, "Cache-Control": "no-store", ...FOR_ALL_ORIGINS },
      body: await opened.sealResponse(binaryReply(reply)),
      // The log gets only the route and the status of the decrypted request, never its facts.
      facts: { inner: reply.route, innerStatus: reply.status },
    };
  }

  const keys: Reply = {
    route: "ohttp.keys",
    status: 200,
    headers: {
      "Content-Type": KEYS_TYPE,
      "Cache-Control": "public, max-age=3600",
      ...FOR_ALL_ORIGINS,
    },
    body: published,
  };
  const answer = (request: PlainRequest) => (request.method === "POST" ? post(request) : keys);
  return [
    { method: "GET", path: GATEWAY_PATH, answer },
    { method: "POST", path: GATEWAY_PATH, answer },
  ];
}

/** A key of the gateway, with the time when it was made, in milliseconds since 1970. */
interface DatedKey extends GatewayKey {
  readonly created: number;
}

/** The gateway with all its keys, and the public key that clients get. */
export interface OhttpKeys {
  readonly gateway: Gateway;
  /** The answer of type `application/ohttp-keys`: only the newest key, which new requests should use. */
  readonly published: Uint8Array;
}

const KEY_IDS = 256;
const HEADER =
  "# The keys of an Oblivious HTTP gateway, the newest first: id, private key, public key, time.\n# Whoever has this file can read the requests.\n";
const LINE = /^(\d{1,3}) ([\w-]{43}) ([\w-]{43}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)$/;

/** Parses a file of keys, the newest first. Throws an `Error` with the number of a wrong line, but not its content. */
export function parseOhttpKeys(text: string, file: string): DatedKey[] {
  const keys: DatedKey[] = [];
  text.split("\n").forEach((line, i) => {
    if (line === "" || line.startsWith("#")) return;
    const [, id, secret, publicText, created] = LINE.exec(line) ?? [];
    const keyId = Number(id);
    const isNew = keys.every(({ config }) => config.keyId !== keyId);
    if (created === undefined || keyId >= KEY_IDS || !isNew || Number.isNaN(Date.parse(created))) {
      throw new Error(`${file}: line ${i + 1} is not a key`);
    }
    const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, "base64url"));
    keys.push({
      config: { keyId, publicKey: bytes(publicText!), algorithms: ALGORITHMS },
      privateKey: bytes(secret!),
      created: Date.parse(created),
    });
  });
  if (keys.length === 0) throw new Error(`${file} has no key`);
  return keys;
}

export function formatOhttpKeys(keys: readonly DatedKey[]): string {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const lines = keys.map(({ config: { keyId, publicKey }, privateKey, created }) =>
    [keyId, base64(privateKey), base64(publicKey), new Date(created).toISOString()].join(" "),
  );
  return `${HEADER}${lines.join("\n")}\n`;
}

/**
 * Adds a new key before the others. An old key stays for `overlap` milliseconds after it was replaced, because clients
 * may still use it.
 */
export async function withNewKey(
  keys: readonly DatedKey[],
  now: number,
  overlap: number,
): Promise<readonly DatedKey[]> {
  const kept = keys.filter((_, i) => i === 0 || now - keys[i - 1]!.created < overlap);
  const used = new Set(kept.map(({ config }) => config.keyId));
  let keyId = kept.length === 0 ? 0 : (kept[0]!.config.keyId + 1) % KEY_IDS;
  while (used.has(keyId)) keyId = (keyId + 1) % KEY_IDS;
  return [{ ...(await generateGatewayKey(keyId)), created: now }, ...kept];
}

/** Creates the gateway for keys, the newest first. */
export async function openOhttpKeys(keys: readonly DatedKey[]): Promise<OhttpKeys> {
  const published = encodeKeyConfigs([keys[0]!.config]);
  return { gateway: await createGateway(keys), published };
}
