import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describeFailure } from "@x/list-store/transport";
import { expect, test } from "vitest";

const failureOf = async (url: string): Promise<string> =>
  describeFailure(await fetch(url).catch((error: unknown) => error));

test("says why fetch failed, without the name of a system call", async () => {
  expect(await failureOf("http://no-such-host.invalid/")).toBe(
    "the host no-such-host.invalid does not resolve",
  );
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  expect(await failureOf(`http://127.0.0.1:${port}/`)).toBe(
    `port ${port} of 127.0.0.1 refuses connections`,
  );
});

const refused = { code: "ECONNREFUSED", address: "::1", port: 80 };

test.each([
  [{ errors: [refused], message: "" }, "port 80 of ::1 refuses connections"],
  [{ cause: { errors: [refused] }, message: "fetch failed" }, "port 80 of ::1 refuses connections"],
  [{ cause: { code: "ECONNREFUSED", message: "" } }, "ECONNREFUSED"],
  [{ code: "ENOTFOUND", hostname: "a.example" }, "the host a.example does not resolve"],
  [{ cause: { code: "EAI_AGAIN", hostname: "a.example" } }, "the host a.example does not resolve"],
  [
    { message: "fetch failed", cause: { message: "self-signed certificate" } },
    "self-signed certificate",
  ],
  [{ message: "Load failed" }, "Load failed"],
  ["stopped", "stopped"],
  [null, "null"],
])("%j", (error, expected) => {
  expect(describeFailure(error)).toBe(expected);
});
