import { type S3StorageOptions, s3Storage } from "@x/list-store/s3";
import { STORAGE_CASES } from "@x/test-support/storage-cases";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BUCKET, type Intercept, type S3Server, s3Error, s3Server } from "./support/s3-server.ts";

let server: S3Server;
beforeAll(async () => {
  server = await s3Server();
});
afterAll(() => server.close());
beforeEach(() => {
  server.intercept(null);
  server.files.clear();
  server.asked.length = 0;
});

const credentials = { accessKeyId: "AKTEST", secretAccessKey: "test-only-secret" };
const bytes = (text: string) => new TextEncoder().encode(text);
const newStorage = (options: Partial<S3StorageOptions> = {}) =>
  s3Storage({
    bucket: BUCKET,
    prefix: "some/store",
    endpoint: server.origin,
    credentials,
    pause: async () => {},
    random: () => 0,
    ...options,
  });

/** Answers the first requests with these replies, one for each request. */
const answers = (...replies: ReturnType<typeof s3Error>[]): Intercept => {
  const left = [...replies];
  return (_, response) => {
    const reply = left.shift();
    if (reply === undefined) return false;
    response.writeHead(reply.status, { date: "Sat, 01 Jan 2028 00:00:00 GMT" }).end(reply.body);
    return true;
  };
};
const always = ({ status, body }: ReturnType<typeof s3Error>): Intercept => {
  return (_, response) => {
    response.writeHead(status, { date: "Sat, 01 Jan 2028 00:00:00 GMT" }).end(body);
    return true;
  };
};

describe("S3 storage", () => {
  test.each(STORAGE_CASES)("$name", { tags: "deep" }, ({ run }) => run(() => newStorage()));
});

describe("requests", () => {
  test("are signed by the clock that is passed in, and say what they create", async () => {
    const now = () => Date.UTC(2026, 0, 2, 3, 4, 5);
    const storage = newStorage({ now, credentials: { ...credentials, sessionToken: "session" } });
    await storage.create("lists/malware/v/000000000001", bytes("one"));
    const { path, headers } = server.asked[0]!;
    expect(path).toBe("/lists/some/store/lists/malware/v/000000000001");
    expect(headers).toMatchObject({
      "if-none-match": "*",
      "cache-control": "max-age=31536000, immutable",
      "content-length": "3",
      "x-amz-content-sha256": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed",
      "x-amz-date": "20260102T030405Z",
      "x-amz-security-token": "session",
    });
    expect(headers.authorization).toContain("AKTEST/20260102/us-east-1/s3/aws4_request");
    await storage.put("lists/malware/head", bytes("1\n"));
    expect(server.asked[1]!.headers).toMatchObject({ "cache-control": "max-age=60" });
    expect(server.asked[1]!.headers).not.toHaveProperty("if-none-match");
  });

  test.each<[Partial<S3StorageOptions>, string]>([
    [{ bucket: "my-lists" }, "https://my-lists.s3.us-east-1.amazonaws.com/head"],
    [
      { bucket: "my-lists", region: "cn-north-1" },
      "https://my-lists.s3.cn-north-1.amazonaws.com.cn/head",
    ],
    [{ bucket: "my.lists" }, "https://s3.us-east-1.amazonaws.com/my.lists/head"],
    [
      { bucket: "my-lists", prefix: "/a/b/" },
      "https://my-lists.s3.us-east-1.amazonaws.com/a/b/head",
    ],
    [{ bucket: "my-lists", pathStyle: true }, "https://s3.us-east-1.amazonaws.com/my-lists/head"],
    [
      { bucket: "my-lists", endpoint: "https://s3.test:8443/base" },
      "https://s3.test:8443/base/my-lists/head",
    ],
    [
      { bucket: "my-lists", endpoint: "https://s3.test", pathStyle: false },
      "https://my-lists.s3.test/head",
    ],
  ])("%j are sent to %s", async (options, address) => {
    const sent: string[] = [];
    const storage = s3Storage({
      credentials,
      bucket: "",
      fetch: async (url) => {
        sent.push(String(url));
        return new Response("1\n");
      },
      ...options,
    });
    await storage.get("head");
    expect(sent).toEqual([address]);
  });

  test.each<[Partial<S3StorageOptions>]>([
    [{ bucket: "a" }],
    [{ bucket: "../../x" }],
    [{ region: "eu west" }],
    [{ prefix: "a/../b" }],
    [{ prefix: "a//b" }],
    [{ prefix: "a?b" }],
    [{ endpoint: "s3.test" }],
    [{ endpoint: "https://user:secret@s3.test/" }],
  ])("%j are refused", (options) => {
    expect(() => newStorage(options)).toThrow(expect.objectContaining({ code: "invalid" }));
  });
});

describe("errors that pass", () => {
  test.each([
    ["500", s3Error(500, "InternalError")],
    ["503", s3Error(503, "SlowDown")],
    ["429", { status: 429, body: "" }],
  ])("requests are sent again after an answer of %s", async (_, reply) => {
    const storage = newStorage();
    await storage.put("key", bytes("one"));
    server.intercept(answers(reply, reply, reply, reply));
    expect(await storage.get("key")).toEqual(bytes("one"));
    server.intercept(always(reply));
    server.asked.length = 0;
    await expect(storage.get("key")).rejects.toMatchObject({ code: "unreachable" });
    expect(server.asked).toHaveLength(5);
  });

  test("a conflict with another writer is no answer yet", async () => {
    const storage = newStorage();
    server.intercept(answers(s3Error(409, "ConditionalRequestConflict")));
    expect(await storage.create("key", bytes("one"))).toBe(true);
    server.intercept(always(s3Error(409, "ConditionalRequestConflict")));
    await expect(storage.create("other", bytes("one"))).rejects.toMatchObject({
      code: "unreachable",
    });
  });

  test.each([0, 4])(
    "a write whose answers are lost never seems to be new, with %i retries",
    async (retries) => {
      const storage = newStorage({ retries });
      server.intercept((_, response, serve) => {
        serve();
        server.intercept(null);
        response.destroy();
        return true;
      });
      const created = storage.create("key", bytes("one"));
      if (retries === 0) await expect(created).rejects.toMatchObject({ code: "unreachable" });
      else expect(await created).toBe(false);
      expect(await storage.get("key")).toEqual(bytes("one"));
    },
  );

  test("an answer that is cut short is not taken for the file", async () => {
    const storage = newStorage();
    await storage.put("key", bytes("a long text"));
    server.intercept((_, response) => {
      server.intercept(null);
      response.writeHead(200, { "content-length": "11" });
      response.write("a long", () => response.destroy());
      return true;
    });
    expect(await storage.get("key")).toEqual(bytes("a long text"));
    expect(server.asked).toHaveLength(3);
  });
});

test("the signal ends a request that is being signed", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const now = () => {
    controller.abort(reason);
    return Date.now();
  };
  const storage = newStorage({ now, signal: controller.signal });
  await expect(storage.put("key", bytes("one"))).rejects.toBe(reason);
  expect(server.asked).toEqual([]);
});

describe("answers that say what is wrong", () => {
  test.each([
    [403, "InvalidAccessKeyId", "", "refused", "check AWS_ACCESS_KEY_ID"],
    [403, "SignatureDoesNotMatch", "", "refused", "check AWS_SECRET_ACCESS_KEY"],
    [400, "ExpiredToken", "", "refused", "renew AWS_SESSION_TOKEN"],
    [403, "AccessDenied", "", "refused", "lacks a permission"],
    [403, "RequestTimeTooSkewed", "", "wrong-clock", "Sat, 01 Jan 2028 00:00:00 GMT"],
    [403, "RequestTimeTooSkewed", "<ServerTime>2029</ServerTime>", "wrong-clock", '"2029"'],
    [404, "NoSuchBucket", "", "not-a-store", "there is no bucket lists"],
    [
      301,
      "PermanentRedirect",
      "<Endpoint>lists.s3.test</Endpoint>",
      "refused",
      "set AWS_ENDPOINT_URL_S3",
    ],
    [
      400,
      "AuthorizationHeaderMalformed",
      "<Region>eu-west-1</Region>",
      "refused",
      '"eu-west-1": set AWS_REGION',
    ],
    [307, "TemporaryRedirect", "", "refused", "another region"],
    [404, "MethodNotAllowed", "", "not-a-store", "does not answer as S3 does"],
    [400, "Odd\u001b[31m", "", "not-a-store", "Odd\\u{1b}[31m"],
  ])("%i %s %s", { tags: "deep" }, async (status, code, more, expected, message) => {
    server.intercept(always(s3Error(status, code, more)));
    const storage = newStorage();
    const error = { code: expected, message: expect.stringContaining(message) };
    await expect(storage.get("head")).rejects.toMatchObject(error);
    await expect(storage.create("head", bytes(""))).rejects.toMatchObject(error);
    await expect(storage.put("head", bytes(""))).rejects.toMatchObject(error);
    await expect(storage.delete("head")).rejects.toMatchObject(error);
    await expect(storage.list("")).rejects.toMatchObject(error);
    await expect(storage.get("head")).rejects.not.toThrow("test-only-secret");
  });

  test("a web server that is not S3 does not make keys missing", async () => {
    server.intercept(always({ status: 404, body: "<html>Not found</html>" }));
    await expect(newStorage().get("head")).rejects.toMatchObject({ code: "not-a-store" });
  });

  test.each([302, 304])(
    "a redirect (%i) that S3 does not send is no other region",
    async (status) => {
      server.intercept((_, response) => {
        response.writeHead(status, { location: "https://login.example/" }).end();
        return true;
      });
      await expect(newStorage().get("head")).rejects.toMatchObject({
        code: "not-a-store",
        message: expect.stringContaining(`status ${status}`),
      });
    },
  );

  test("a server that cannot create only is named", async () => {
    server.intercept(always(s3Error(501, "NotImplemented")));
    await expect(newStorage().create("key", bytes(""))).rejects.toMatchObject({
      code: "not-create-only",
    });
  });

  test("forbidden versions are missing only for those who may not list", async () => {
    const version = "lists/malware/v/000000000002";
    const forbid: (what: "files" | "everything") => Intercept = (what) => (asked, response) => {
      if (what === "files" && asked.path === "/lists/") return false;
      const { status, body } = s3Error(403, "AccessDenied");
      response.writeHead(status).end(body);
      return true;
    };
    server.intercept(forbid("everything"));
    const reader = newStorage();
    expect(await reader.get(version)).toBeNull();
    expect(await reader.get(version)).toBeNull();
    expect(server.asked).toHaveLength(3);
    await expect(reader.get("lists/malware/head")).rejects.toMatchObject({ code: "refused" });
    server.intercept(forbid("files"));
    await expect(newStorage().get(version)).rejects.toMatchObject({ code: "refused" });
  });
});

describe("listings", () => {
  const page = (body: string) => always({ status: 200, body });

  test("skip the file that some tools create for a folder", async () => {
    const storage = newStorage();
    server.files.set("some/store/lists/", { body: Buffer.from(""), modified: 0 });
    await storage.put("lists/x", bytes("one"));
    expect((await storage.list("lists/")).map(({ name }) => name)).toEqual(["x"]);
  });

  test("give names as they are", async () => {
    const storage = newStorage();
    server.files.set("some/store/odd & <name>+ü", { body: Buffer.from(""), modified: 5 });
    expect(await storage.list("")).toEqual([{ name: "odd & <name>+ü", modified: 5 }]);
    server.intercept(
      page(
        "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>some/store/a &#38;+&#x3c;b</Key><LastModified>1970-01-01T00:00:01Z</LastModified></Contents></ListBucketResult>",
      ),
    );
    expect(await storage.list("")).toEqual([{ name: "a &+<b", modified: 1000 }]);
  });

  test.each([
    "",
    "not XML",
    "<ListBucketResult/>",
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "<ListBucketResult><IsTruncated>false</IsTruncated>",
    "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult><more/>",
    "<!DOCTYPE x [<!ENTITY a 'b'>]><ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>",
    "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>elsewhere</Key><LastModified>1970-01-01T00:00:01Z</LastModified></Contents></ListBucketResult>",
    "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>some/store/a</Key></Contents></ListBucketResult>",
    "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>some/store/&unknown;</Key></Contents></ListBucketResult>",
    "<html><body>Welcome</body></html>",
    // This page is sent again and again.
    "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken></ListBucketResult>",
  ])("that are not whole are refused: %s", async (body) => {
    server.intercept(page(body));
    await expect(newStorage().list("")).rejects.toMatchObject({ code: "not-a-store" });
  });
});
