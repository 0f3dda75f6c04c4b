import { expect, test } from "vitest";
import { exposureWarning } from "../../src/cli/serving/listening.ts";
import { warnOfRoot } from "../../src/cli/serving/long-running.ts";
import type { Address } from "../../src/serve/endpoints.ts";

const tcp = (host: string): Address => ({ kind: "tcp", host, port: 8080 });
const TLS = { cert: Buffer.alloc(0), key: Buffer.alloc(0), expires: 0 };

/** How often a server with these options warns, if settings with and without keys are read one after the other. */
function warnings(options: Partial<Parameters<typeof exposureWarning>[0]>): number {
  const lines: string[] = [];
  const local = { listen: tcp("127.0.0.1"), tls: null, behindProxy: false };
  const warn = exposureWarning({ ...local, ...options }, { warn: (line) => lines.push(line) });
  warn({ readers: {} });
  expect(lines).toEqual([]);
  for (let i = 0; i < 2; i++) warn({ readers: { a: { "key-sha256": "", lists: [] } } });
  return lines.length;
}

test.each([
  ["all addresses", { listen: tcp("0.0.0.0") }, 1],
  ["all addresses of IPv6", { listen: tcp("::") }, 1],
  ["a name of another machine's network", { listen: tcp("lists.example") }, 1],
  ["TLS", { listen: tcp("0.0.0.0"), tls: TLS }, 0],
  ["a proxy", { listen: tcp("0.0.0.0"), behindProxy: true }, 0],
  ["this machine", {}, 0],
  ["this machine by name", { listen: tcp("localhost") }, 0],
  ["this machine over IPv6", { listen: tcp("::1") }, 0],
  ["a Unix socket", { listen: { kind: "unix", path: "/run/lists.sock" } }, 0],
  ["a socket of systemd", { listen: { kind: "inherited", descriptor: 3 } }, 0],
] as const)("keys are warned of once, but not if they are safe: %s", (_, options, times) => {
  expect(warnings(options)).toBe(times);
});

test("root is warned of", () => {
  const lines: string[] = [];
  warnOfRoot({ warn: (line) => lines.push(line) });
  expect(lines).toHaveLength(process.getuid?.() === 0 ? 1 : 0);
});
