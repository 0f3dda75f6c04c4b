import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { listenProblem } from "@x/command-line/node";
import { expect, test } from "vitest";

/** The problem of a server that cannot listen; `null` when it can. */
async function problemAt(port: number, host: string): Promise<string | null> {
  const server: Server = createServer().listen(port, host);
  try {
    await once(server, "listening");
    return null;
  } catch (error) {
    return listenProblem(error, host);
  } finally {
    server.close();
  }
}

test("a host that does not resolve is not called a port", async () => {
  expect(await problemAt(0, "no-such-host.invalid")).toBe(
    'The host "no-such-host.invalid" does not resolve to an address',
  );
});

test("an address of another machine, and a port that is taken, are named", async () => {
  expect(await problemAt(0, "192.0.2.1")).toBe('"192.0.2.1" is not an address of this machine');
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  expect(await problemAt(port, "127.0.0.1")).toBe(
    `Port ${port} of 127.0.0.1 is in use by another program`,
  );
  other.close();
});

test.each([
  ["EAI_AGAIN", "getaddrinfo", 'The host "a.example" does not resolve to an address'],
  ["EACCES", "listen", "Port 80 of a.example may not be used by this user"],
  ["EMFILE", "listen", "The server cannot listen on port 80 of a.example: too many"],
  ["ENOENT", "open", null],
])("%s of %s", (code, syscall, expected) => {
  const error = Object.assign(new Error("too many"), { code, syscall, port: 80 });
  expect(listenProblem(error, "a.example")).toBe(expected);
});
