import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Answers in place of the server when it returns `true`. `serve` returns the server's own answer. */
export type Intercept = (
  asked: Asked,
  response: ServerResponse,
  serve: () => Reply,
) => boolean | Promise<boolean>;

export interface Reply {
  readonly status: number;
  readonly body: string | Buffer;
}

export interface S3Server {
  readonly origin: string;
  readonly files: Map<string, { body: Buffer; modified: number }>;
  readonly asked: Asked[];
  /** Replaces the previous function; with `null`, the server answers itself. */
  intercept(intercept: Intercept | null): void;
  close(): Promise<void>;
}

export const BUCKET = "lists";
/** The number of keys on a page. It is small so that listings have several pages. */
const PAGE = 100;

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export const s3Error = (status: number, code: string, more = ""): Reply => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Of ${code}.</Message>${more}</Error>`,
});

/** A small S3 server that keeps one bucket in memory. `intercept` makes it misbehave. */
export async function s3Server(): Promise<S3Server> {
  const files: S3Server["files"] = new Map();
  const asked: Asked[] = [];
  let intercept: Intercept | null = null;

  function list(query: URLSearchParams): Reply {
    const prefix = query.get("prefix") ?? "";
    const found = new Map<string, string>();
    for (const [key, { modified }] of files) {
      if (!key.startsWith(prefix)) continue;
      const slash = key.indexOf("/", prefix.length);
      const name = encodeURIComponent(slash === -1 ? key : key.slice(0, slash + 1));
      found.set(
        name,
        slash === -1
          ? `<Contents><Key>${name}</Key><LastModified>${new Date(modified).toISOString()}</LastModified><ETag>&quot;e&quot;</ETag></Contents>`
          : `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`,
      );
    }
    const names = [...found.keys()].sort();
    const after = query.get("continuation-token");
    const rest = names.filter((name) => after === null || `after ${name}` > after);
    const page = rest.slice(0, PAGE);
    const isTruncated = rest.length > page.length;
    const next = isTruncated
      ? `<NextContinuationToken>${escapeXml(`after ${page.at(-1)}`)}</NextContinuationToken>`
      : "";
    return {
      status: 200,
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name><Prefix>${encodeURIComponent(prefix)}</Prefix><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${page.map((name) => found.get(name)).join("")}${next}</ListBucketResult>`,
    };
  }

  function serve({ method, path, query, headers, body }: Asked): Reply {
    const [, bucket, ...parts] = path.split("/");
    const key = parts.join("/");
    if (bucket !== BUCKET) return s3Error(404, "NoSuchBucket");
    if (method === "GET" && key === "") return list(query);
    const file = files.get(key);
    if (method === "GET") {
      return file === undefined ? s3Error(404, "NoSuchKey") : { status: 200, body: file.body };
    }
    if (method === "DELETE") {
      files.delete(key);
      return { status: 204, body: "" };
    }
    if (headers["if-none-match"] === "*" && file !== undefined) {
      return s3Error(412, "PreconditionFailed");
    }
    files.set(key, { body, modified: Date.now() });
    return { status: 200, body: "" };
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, "http://localhost");
    const body = Buffer.concat(await request.toArray());
    const { method = "", headers } = request;
    const ask = { method, path: url.pathname, query: url.searchParams, headers, body };
    asked.push(ask);
    if (await intercept?.(ask, response, () => serve(ask))) return;
    const reply = serve(ask);
    response.writeHead(reply.status).end(reply.body);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    asked,
    intercept(next) {
      intercept = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
