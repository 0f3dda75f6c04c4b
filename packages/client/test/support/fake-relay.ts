import {
  createGateway,
  encodeKeyConfigs,
  type GatewayKey,
  generateGatewayKey,
  OhttpError,
} from "@x/ohttp";
import { decodeRequest, encodeResponse } from "@x/ohttp/binary-http";

export const RELAY = "https://relay.example/lists";
export const KEYS = "https://keys.example";

/** A relay, the gateway behind it, and the host of its keys, as a `fetch` in front of the `fetch` of a server. */
export interface FakeRelay {
  readonly fetch: typeof fetch;
  /** The requests that were sent: the address, and the whole request as text with one character per byte. */
  readonly sent: { readonly url: string; readonly text: string }[];
  /** The requests that the gateway has decrypted. */
  readonly opened: { readonly path: string; readonly bytes: number }[];
  /** The body of the type `application/ohttp-keys`. */
  keys(): Uint8Array<ArrayBuffer>;
  /** Replaces the key of the gateway. */
  rotate(): Promise<void>;
  /** Answers instead of the relay, or instead of the host of the keys, unless it returns `null`. */
  instead: ((url: string, init: RequestInit) => Response | null | Promise<Response | null>) | null;
  /** Changes the encrypted answer. */
  change: (answer: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;
}

const PROBLEM = {
  status: 400,
  headers: { "content-type": "application/problem+json; charset=utf-8" },
};
const KEY_PROBLEM = "https://iana.org/assignments/http-problem-types#ohttp-key";

export function keyProblem(): Response {
  return new Response(JSON.stringify({ type: KEY_PROBLEM, title: "key" }), PROBLEM);
}

export async function fakeRelay(server: typeof fetch): Promise<FakeRelay> {
  let keyId = 1;
  let key: GatewayKey = await generateGatewayKey(keyId);
  const sent: FakeRelay["sent"] = [];
  const opened: FakeRelay["opened"] = [];

  async function answered(message: Uint8Array): Promise<Response> {
    const gateway = await createGateway([key]);
    try {
      const { request, sealResponse } = await gateway.openRequest(message);
      const { method, scheme, authority, path, headers, content } = decodeRequest(request);
      opened.push({ path, bytes: request.length });
      const body = content.length === 0 ? null : new Uint8Array(content);
      const init = { method, headers: headers.map(([name, value]) => [name, value]), body };
      const answer = await server(`${scheme}://${authority}${path}`, init as RequestInit);
      const sealed = await sealResponse(
        encodeResponse({
          status: answer.status,
          headers: [...answer.headers],
          content: new Uint8Array(await answer.arrayBuffer()),
        }),
      );
      return new Response(relay.change(sealed), {
        headers: { "content-type": "message/ohttp-res" },
      });
    } catch (error) {
      if (error instanceof OhttpError) return keyProblem();
      throw error;
    }
  }

  const relay: FakeRelay = {
    sent,
    opened,
    instead: null,
    change: (answer) => answer,
    keys: () => encodeKeyConfigs([key.config]),
    async rotate() {
      key = await generateGatewayKey(++keyId);
    },
    async fetch(input, init = {}) {
      const url = String(input);
      const body = init.body instanceof Uint8Array ? Buffer.from(init.body).toString("latin1") : "";
      sent.push({ url, text: `${url}\n${JSON.stringify(init.headers)}\n${body}` });
      init.signal?.throwIfAborted();
      if (url === RELAY || url.startsWith(KEYS)) {
        const instead = await relay.instead?.(url, init);
        if (instead) return instead;
      }
      if (url === `${KEYS}/.well-known/ohttp-gateway`) {
        return new Response(relay.keys(), {
          headers: { "content-type": "application/ohttp-keys" },
        });
      }
      if (url === RELAY) return answered(init.body as Uint8Array);
      return server(input, init);
    },
  };
  return relay;
}
