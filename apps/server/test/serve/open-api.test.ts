import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { memoryStorage } from "@x/list-store";
import { encapsulateRequest } from "@x/ohttp";
import { encodeRequest } from "@x/ohttp/binary-http";
import { fullHash } from "@x/sha256-prefix";
import { webUrl } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey, NO_API_KEYS } from "../../src/serve/api-keys.ts";
import { gatewayRoutes, openOhttpKeys, withNewKey } from "../../src/serve/ohttp/gateway.ts";
import { operatorRoutes } from "../../src/serve/operator-routes.ts";
import { createRoutes, METHODS } from "../../src/serve/routes.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import { messageSchema, parametersOf } from "../support/message-schema.ts";

const KEY = "a-key";
const LISTED = "evil.example/";
const PREFIX = Buffer.from(fullHash(LISTED)).subarray(0, 4).toString("base64");
const ENTRIES = { threatTypes: ["MALWARE"], platformTypes: ["WINDOWS"], threatEntryTypes: ["URL"] };

const FILE = readFileSync(new URL("../../openapi.json", import.meta.url), "utf8");
const gatewayKeys = await withNewKey([], Date.now(), 0);
const encrypted = await encapsulateRequest(
  gatewayKeys[0]!.config,
  encodeRequest({ method: "GET", scheme: "http", authority: "a.example", path: "/v5/hashLists" }),
);

interface Sample {
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json" },
});
const query = (parameters: Readonly<Record<string, string>>) =>
  `?${new URLSearchParams(parameters)}`;

/** Requests for each operation. Searches among them find something, so that answers have as many fields as possible. */
const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  status: [{ path: "/" }],
  blocked: [{ path: "/blocked" }],
  healthz: [{ path: "/healthz" }],
  readyz: [{ path: "/readyz" }],
  metrics: [{ path: "/metrics" }],
  openapi: [{ path: "/openapi.json" }],
  "ohttp.keys": [{ path: "/.well-known/ohttp-gateway" }],
  ohttp: [
    {
      path: "/.well-known/ohttp-gateway",
      body: encrypted.message,
      headers: { "Content-Type": "message/ohttp-req" },
    },
  ],
  lookup: [
    {
      path: "/lookup?lists=malware,intranet&key=a-key",
      ...json({
        urls: ["evil.example", "http://good.example/", "mailto:x", "http://evil.example\\@a/"],
      }),
    },
    {
      path: "/lookup",
      body: "evil.example\nmailto:x\nhttp://good.example/\n",
      headers: { "Content-Type": "text/plain" },
    },
    {
      path: "/lookup?lists=malware",
      body: '{"url":"http://evil.example/"}\n{\n{"url":"mailto:x"}\n',
      headers: { "Content-Type": "application/x-ndjson" },
    },
  ],
  "lookup.status": [
    { path: `/lookup/status${query({ url: "http://evil.example/", lists: "malware" })}` },
    { path: "/lookup/status", headers: { "X-Original-URL": "http://good.example/" } },
    { path: `/lookup/status${query({ url: "mailto:x" })}` },
    { path: "/lookup/status" },
  ],
  "v5.hashLists.batchGet": [{ path: "/v5/hashLists:batchGet?names=mw-4b&names=se-4b&alt=json" }],
  "v5.hashList.get": [{ path: "/v5/hashList/mw-4b?alt=json" }],
  "v5.hashLists.list": [{ path: "/v5/hashLists?alt=json&pageSize=1" }],
  "v5.hashes.search": [
    { path: `/v5/hashes:search${query({ hashPrefixes: PREFIX, alt: "json" })}` },
    { path: `/v5/hashes:search${query({ hashPrefixes: PREFIX, alt: "proto" })}` },
  ],
  "v5.urls.search": [
    { path: `/v5/urls:search${query({ urls: "http://evil.example/", alt: "json" })}` },
    { path: `/v5/urls:search${query({ urls: "http://good.example/", alt: "proto" })}` },
  ],
  "v4.threatListUpdates.fetch": [
    {
      path: "/v4/threatListUpdates:fetch",
      ...json({
        client: { clientId: "tests" },
        listUpdateRequests: [
          {
            threatType: "MALWARE",
            platformType: "LINUX",
            threatEntryType: "URL",
            constraints: { supportedCompressions: ["RICE"] },
          },
          { threatType: "MALWARE", platformType: 99, threatEntryType: "URL" },
        ],
      }),
    },
  ],
  "v4.fullHashes.find": [
    {
      path: "/v4/fullHashes:find",
      ...json({ threatInfo: { ...ENTRIES, threatEntries: [{ hash: PREFIX }] } }),
    },
  ],
  "v4.threatMatches.find": [
    {
      path: "/v4/threatMatches:find",
      ...json({ threatInfo: { ...ENTRIES, threatEntries: [{ url: "http://evil.example/" }] } }),
    },
  ],
  "v4.threatLists.list": [{ path: "/v4/threatLists" }],
  "webRisk.threatLists.computeDiff": [
    {
      path: `/v1/threatLists:computeDiff${query({
        threatType: "MALWARE",
        "constraints.supportedCompressions": "RAW",
      })}`,
    },
  ],
  "webRisk.hashes.search": [
    { path: `/v1/hashes:search${query({ hashPrefix: PREFIX, threatTypes: "MALWARE" })}` },
  ],
  "webRisk.uris.search": [
    { path: `/v1/uris:search${query({ uri: "http://evil.example/", threatTypes: "MALWARE" })}` },
  ],
};

interface Media {
  readonly schema?: object;
}
interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: { readonly type: string };
}
interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >;
}

let server: LoggedServer;
let text: string;
let paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
const ajv = new Ajv2020({ validateFormats: false, allErrors: true });

beforeAll(async () => {
  const signer = await newSigner();
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", [LISTED, "other.example/"]);
  await publish("social-engineering", ["phish.example/"]);
  await publish("intranet", ["inside.example/"]);
  server = await startLoggedServer(storage, signer, {
    keys: `${hashApiKey(KEY)} intranet`,
    poll: 20,
    ohttp: await openOhttpKeys(gatewayKeys),
  });
  text = await (await fetch(`${server.origin}/openapi.json`)).text();
  paths = resolved(JSON.parse(text).paths);
});
afterAll(() => server.stop());

const operations = () =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** Replaces the references to components with these components. */
function resolved<T>(value: T): T {
  const { components } = JSON.parse(FILE);
  const text = JSON.stringify(value, (_, part) => {
    const [, kind, name] = /^#\/components\/(\w+)\/(\w+)$/.exec(part?.$ref ?? "") ?? [];
    return kind === undefined ? part : components[kind][name!];
  });
  return JSON.parse(text);
}

/** Returns the schema with no additional properties allowed. */
function closed(schema: unknown): object {
  return JSON.parse(
    JSON.stringify(schema, (_, value) =>
      value?.properties !== undefined ? { additionalProperties: false, ...value } : value,
    ),
  );
}

function expectValid(schema: unknown, value: unknown, what: string): void {
  const isValid = ajv.validate(closed(schema), value);
  expect(isValid, `${what}: ${ajv.errorsText()}\n${JSON.stringify(value)}`).toBe(true);
}

function send(method: string, { path, body, headers = {} }: Sample): Promise<Response> {
  const init = { method: method.toUpperCase(), headers };
  return fetch(
    server.origin + path,
    body === undefined ? init : { ...init, body: body as BodyInit },
  );
}

/** Returns the schema of the media type of an answer, or `null` if the answer is not JSON. */
function mediaOf({ responses }: OperationObject, { status, headers }: Response) {
  const described = responses[status];
  const type = (headers.get("content-type") ?? "").split(";")[0]!;
  if (described === undefined) return { type, schema: errorSchema(), isDescribed: false };
  const media = described.content?.[type];
  expect(media, `${status} ${type}`).toBeDefined();
  return { type, schema: media?.schema ?? null, isDescribed: true };
}

const errorSchema = () =>
  JSON.parse(text).components.responses.Error.content["application/json"].schema;

test("the document is one of OpenAPI 3.1", { tags: "deep" }, async () => {
  const result = await new Validator().validate(JSON.parse(text));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(JSON.parse(text).openapi).toMatch(/^3\.1\./);
});

test("the server sends the file", () => {
  expect(text).toBe(FILE);
});

test("the document has every route of the server, and no other", () => {
  const unused = {} as never;
  const routes = createRoutes({
    ...{ lookUp: {}, files: unused, listedSince: unused, operator: unused },
    ...{ api: {}, lists: unused, keys: NO_API_KEYS },
    ohttp: gatewayRoutes({} as never, unused),
    admin: operatorRoutes({ readiness: unused, metrics: unused, isStopping: unused }),
  } as never);
  const nameOf = (method: string, path: string) => `${method.toUpperCase()} ${path}`;
  expect(operations().map(({ method, path }) => nameOf(method, path))).toEqual(
    routes.map(({ method, path }) => nameOf(method, path)),
  );
});

test.each(METHODS.map(({ method }) => [method.name, method] as const))(
  "%s takes and answers the messages of its table",
  (name, { httpMethod, pathField, request, response }) => {
    const { operation } = operations().find(
      ({ operation: { operationId } }) => operationId === name,
    )!;
    const { parameters, requestBody, responses } = operation;
    const alt = expect.objectContaining({ name: "alt" });
    const isGet = httpMethod === "GET";
    expect(parameters).toEqual([...(isGet ? parametersOf(request, pathField) : []), alt]);
    const content = (type: typeof request) => ({
      "application/json": { schema: messageSchema(type) },
      "application/x-protobuf": {},
    });
    expect(requestBody?.content).toEqual(isGet ? undefined : content(request));
    expect(responses["200"]!.content).toEqual(content(response));
    expect(Object.keys(responses)).toEqual(["200", ...(isGet ? ["304"] : []), "default"]);
  },
);

test("each operation has a name of its own, and samples here", () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.sort()).toEqual(Object.keys(SAMPLES).sort());
});

test("each answer is as the document says", { tags: "deep" }, async () => {
  for (const { method, operation } of operations()) {
    for (const sample of SAMPLES[operation.operationId]!) {
      const response = await send(method, sample);
      const what = `${operation.operationId} ${sample.path}`;
      const { type, schema, isDescribed } = mediaOf(operation, response);
      expect(isDescribed, `${what}: ${response.status}`).toBe(true);
      const body = await response.text();
      expect(body.length, what).toBeGreaterThan(0);
      const tag = response.headers.get("etag");
      if (tag !== null) {
        const headers = { ...sample.headers, "If-None-Match": tag };
        expect((await send(method, { ...sample, headers })).status, what).toBe(304);
        expect(operation.responses, what).toHaveProperty("304");
      }
      if (schema === null) continue;
      const values = type === "application/x-ndjson" ? body.trim().split("\n") : [body];
      for (const value of values) expectValid(schema, JSON.parse(value), what);
    }
  }
});

test("each sample is a request that the document allows", () => {
  for (const { path, operation } of operations()) {
    const { parameters = [], requestBody, operationId } = operation;
    for (const sample of SAMPLES[operationId]!) {
      const url = new URL(sample.path, "http://a");
      const pattern = new RegExp(`^${path.replace(/\{[^}]*\}/, "[^/]+")}$`);
      expect(url.pathname).toMatch(pattern);
      const known = parameters.flatMap((each) => (each.in === "query" ? [each.name] : []));
      for (const name of url.searchParams.keys()) expect([...known, "key"]).toContain(name);
      for (const { name, schema } of parameters.filter((each) => each.in === "query")) {
        const values = url.searchParams.getAll(name);
        if (values.length === 0) continue;
        if (schema.type === "array") {
          expectValid(
            schema,
            values.flatMap((value) => value.split(",")),
            name,
          );
        } else {
          const value = schema.type === "integer" ? Number(values[0]) : values[0];
          expectValid(schema, value, name);
        }
      }
      const type = sample.headers?.["Content-Type"];
      if (type === undefined) continue;
      const media = requestBody!.content[type];
      expect(media).toBeDefined();
      if (type === "application/json") {
        expectValid(media!.schema, JSON.parse(String(sample.body)), operationId);
      }
    }
  }
});

test("wrong requests are answered with the error of the document", async () => {
  for (const { path, method, operation } of operations()) {
    // Pages take no parameters.
    if (operation.parameters === undefined) continue;
    const target = `${path}?lists=nothing&alt=nothing`;
    const response = await send(method, {
      path: target,
      ...(method === "post" && { body: "{", headers: { "Content-Type": "application/json" } }),
    });
    expect(response.status, target).toBeGreaterThanOrEqual(400);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expectValid(errorSchema(), await response.json(), target);
  }
});

describe("routes", () => {
  test("what the document does not have is not there", { tags: "deep" }, async () => {
    for (const { path, method } of operations()) {
      const other = method === "get" ? "POST" : "GET";
      const sample = path.replace("{name}", "malware");
      const wrong = await fetch(server.origin + sample, {
        method: other,
        ...(other === "POST" && { body: "" }),
      });
      if (paths[path]![other.toLowerCase()] === undefined) {
        expect([404, 405], `${other} ${path}: ${wrong.status}`).toContain(wrong.status);
      }
      if (path === "/v5/hashList/{name}") continue;
      for (const target of [`${sample}x`, `${sample}/x`, sample.toUpperCase()]) {
        if (target in paths || target === "/") continue;
        const response = await fetch(server.origin + target);
        expect(response.status, target).toBe(404);
        expectValid(errorSchema(), await response.json(), target);
      }
    }
  });

  test("every route in the log is an operation of the document", async () => {
    const ids = new Set(operations().map(({ operation }) => operation.operationId));
    // These routes are kinds of errors, or forms of one operation.
    for (const other of ["api", "http", "export", "lookup.stream"]) ids.add(other);
    const routes = server
      .log()
      .trim()
      .split("\n")
      .flatMap((line) => JSON.parse(line).route ?? []);
    expect(routes.length).toBeGreaterThan(fewest(50));
    for (const route of routes) expect([...ids]).toContain(route);
  });
});

test("POST /lookup accepts what the document allows, and nothing else", {
  tags: "deep",
}, async () => {
  const schema = paths["/lookup"]!["post"]!.requestBody!.content["application/json"]!.schema!;
  const isAllowed = ajv.compile(schema);
  const reached = { allowed: 0, refused: 0 };
  const value = fc.oneof(
    fc.record({ urls: fc.array(webUrl) }),
    fc.record({ urls: fc.array(fc.oneof(webUrl, fc.jsonValue())) }),
    fc.record({
      urls: fc.constantFrom(Array(1000).fill("a.example"), Array(1001).fill("a.example")),
    }),
    fc.record({ urls: fc.array(webUrl), other: fc.jsonValue() }, { requiredKeys: [] }),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(value, async (body) => {
      const { status } = await send("post", { path: "/lookup", ...json(body) });
      const allowed = isAllowed(body);
      reached[allowed ? "allowed" : "refused"]++;
      expect(status).toBe(allowed ? 200 : 400);
    }),
    { seed: 16, numRuns: sampleSize(300) },
  );
  for (const count of Object.values(reached)) expect(count).toBeGreaterThan(fewest(50));
});
