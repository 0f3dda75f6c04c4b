import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describeFailure } from "@x/list-store/transport";
import { expect, test } from "vitest";

const failureOf = async (url: string): Promise<string> =>
  describeFailure(await fetch(url).catch((error: unknown) => error));

test("says why fetch failed, without the name of a system call", async () => {
  expect(await failureOf("http://no-such-host.invalid/")).toMatch(
    /^(?:there is no host no-such-host\.invalid|the host no-such-host\.invalid cannot be looked up now)$/,
  );
  expect(await failureOf("http://127.0.0.1:9/")).toBe(
    "this platform opens no connections to the port",
  );
  const server = createServer((request) => request.socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await failureOf(`http://127.0.0.1:${port}/`)).toBe("the connection was cut");
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
  [{ cause: { code: "ECONNREFUSED", message: "" } }, "the connection was refused"],
  [{ code: "ENOTFOUND", hostname: "a.example" }, "there is no host a.example"],
  [
    { cause: { code: "EAI_AGAIN", hostname: "a.example" } },
    "the host a.example cannot be looked up now",
  ],
  [{ cause: { code: "UND_ERR_CONNECT_TIMEOUT" } }, "the host does not answer"],
  [{ cause: { code: "ENETUNREACH" } }, "the network has no way to the host"],
  [
    { message: "fetch failed", cause: { message: "self-signed certificate" } },
    "self-signed certificate",
  ],
  [{ message: "Load failed" }, "Load failed"],
  [{ cause: { code: "toString" } }, "toString"],
  ["stopped", "stopped"],
  [null, "null"],
])("%j", (error, expected) => {
  expect(describeFailure(error)).toBe(expected);
});
