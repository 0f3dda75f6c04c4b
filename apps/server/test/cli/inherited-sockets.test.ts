import { describe, expect, test } from "vitest";
import { inheritedSockets } from "../../src/cli/serving/listening.ts";
import { complaintOf } from "../support/complaint.ts";

const PID = 4711;
const sockets = (env: Readonly<Record<string, string>>) =>
  inheritedSockets({ LISTEN_PID: String(PID), ...env }, PID);
const at = (descriptor: number) => ({ kind: "inherited", descriptor });

describe("the sockets of systemd", () => {
  test.each([
    ["none", {}, {}],
    ["one", { LISTEN_FDS: "1", LISTEN_FDNAMES: "urlhash-serve.socket" }, { listen: at(3) }],
    ["one without a name", { LISTEN_FDS: "1" }, { listen: at(3) }],
    ["two", { LISTEN_FDS: "2", LISTEN_FDNAMES: "admin:http" }, { admin: at(3), listen: at(4) }],
    ["those of another process", { LISTEN_FDS: "1", LISTEN_PID: "1" }, {}],
    ["no number", { LISTEN_FDS: "x" }, {}],
  ] as const)("%s", (_, env, expected) => {
    expect(sockets(env)).toEqual(expected);
  });

  test("two for the same are refused", () => {
    expect(() => sockets({ LISTEN_FDS: "2" })).toThrow(/two sockets for clients/);
    expect(() => sockets({ LISTEN_FDS: "2", LISTEN_FDNAMES: "admin:admin" })).toThrow(
      /for operators/,
    );
  });
});

describe("addresses", () => {
  const complaint = (...options: string[]) =>
    complaintOf("serve", "--store", "/nowhere/lists", ...options);

  test.each(["8080", ":8080", "a:b", "::1:80", "[::1]", "127.0.0.1:65536", "unix:", "a:1:2"])(
    "--listen %s is refused",
    async (address) => {
      expect(await complaint("--listen", address)).toMatch("expected HOST:PORT such as");
    },
  );

  test.each(["127.0.0.1:0", "[::1]:80", "localhost:65535", "unix:/run/a b.sock", "unix:a"])(
    "--admin %s is taken",
    async (address) => {
      expect(await complaint("--set", `admin=${address}`)).toMatch(/The store \S+ does not exist/);
    },
  );

  test.each([
    ["--log-level", "loud"],
    ["--set", "log.requests=many"],
  ])("%s %s is refused", async (option, value) => {
    expect(await complaint(option, value)).toMatch("expected ");
  });
});
