import { durationValue, expecting, Failure, wholeNumber } from "@x/command-line";
import { listenProblem } from "@x/command-line/node";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import type { TlsOptions } from "../tls-files.ts";

interface Options extends TlsOptions {
  readonly gateway: ReadonlyMap<string, string>;
  readonly host: string;
  readonly port: number;
  readonly rate: number;
  readonly time: number;
  readonly behindProxy?: boolean;
}

/** Parses `URL`, the gateway for requests to `/`, or `NAME=URL`, the gateway for requests to `/NAME`. */
function gatewayOf(
  text: string,
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const [, name = "", address = ""] = /^(?:([a-z0-9-]{1,63})=)?(https?:\/\/.+)$/.exec(text) ?? [];
  const parsed = expecting("a URL, or NAME=URL", () =>
    URL.canParse(address) && !before.has(`/${name}`) ? address : null,
  )(text);
  return new Map([...before, [`/${name}`, parsed]]);
}

/** Forwards requests to the gateways until SIGTERM or SIGINT. */
async function runRelay(options: Options, { complain }: Context): Promise<void> {
  const { gateway, host, port, rate, time, behindProxy = false } = options;
  const { readCertificate } = await import("../tls-files.ts");
  const tls = await readCertificate(options);
  const { createHttpServer, drain } = await import("../../serve/http/http-server.ts");
  const { createRelay, gatewayUrl } = await import("../../serve/ohttp/relay.ts");
  const { listen } = await import("../../serve/listen.ts");
  const gateways = new Map([...gateway].map(([path, url]) => [path, gatewayUrl(url)]));
  const server = createHttpServer({
    answer: createRelay({ gateways, rate, timeout: time }),
    onReply() {},
    // The error is not printed, because its message could contain a client's address.
    onError: () => complain("a request failed"),
    tls,
    behindProxy,
  });
  const address = { kind: "tcp", host, port } as const;
  const origin = await listen(server, address, tls !== null).catch((error) => {
    const problem = listenProblem(error, host);
    throw problem === null ? error : new Failure(problem, { cause: error });
  });
  const paths = [...gateways].map(([path, url]) => `${origin}${path} → ${url.href}`);
  complain(`relaying ${paths.join(", ")}`);
  await new Promise((resolve) => process.once("SIGTERM", resolve).once("SIGINT", resolve));
  await drain(server, 10_000);
}

export function registerRelay(program: Command, context: Context): void {
  program
    .command("relay")
    .description("pass on requests over Oblivious HTTP to gateways, without saying who sent them")
    .requiredOption(
      "--gateway <url>",
      "the gateway to which requests at / go, or NAME=URL for requests at /NAME; may be given more than once",
      gatewayOf,
    )
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option(
      "--port <number>",
      "the port to listen on; 0 picks a free port",
      wholeNumber(0, 65_535),
      8088,
    )
    .option(
      "--rate <number>",
      "how many requests a network may send in a minute",
      wholeNumber(1, 1_000_000),
      600,
    )
    .option(
      "--time <duration>",
      "how long a gateway may be silent",
      durationValue,
      durationValue("15s"),
    )
    .option(
      "--behind-proxy",
      "take clients' addresses from the X-Forwarded-For header of your own proxy",
    )
    .option("--tls-cert <file>", "certificate chain (PEM), to serve HTTPS")
    .option("--tls-key <file>", "private key of the certificate (PEM)")
    .addHelpText(
      "after",
      `
A relay hides clients from a gateway only if it is run by somebody other than
the operator of the gateway. It writes no log: it knows the addresses of
clients, and forgets them within a minute.`,
    )
    .action((options: Options) => runRelay(options, context));
}
