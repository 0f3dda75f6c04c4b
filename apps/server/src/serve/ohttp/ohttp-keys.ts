import {
  ALGORITHMS,
  createGateway,
  encodeKeyConfigs,
  type Gateway,
  type GatewayKey,
  generateGatewayKey,
} from "@x/ohttp";

/** A key of the gateway, with the time when it was made, in milliseconds since 1970. */
interface DatedKey extends GatewayKey {
  readonly created: number;
}

/** The gateway with all its keys, and the public key that clients get. */
export interface OhttpKeys {
  readonly gateway: Gateway;
  /** The answer of type `application/ohttp-keys`: only the newest key, which new requests should use. */
  readonly published: Uint8Array;
}

const KEY_IDS = 256;
const HEADER =
  "# The keys of an Oblivious HTTP gateway, the newest first: id, private key, public key, time.\n# Whoever has this file can read the requests.\n";
const LINE = /^(\d{1,3}) ([\w-]{43}) ([\w-]{43}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)$/;

/** Parses a file of keys, the newest first. Throws an `Error` with the number of a wrong line, but not its content. */
export function parseOhttpKeys(text: string, file: string): DatedKey[] {
  const keys: DatedKey[] = [];
  text.split("\n").forEach((line, i) => {
    if (line === "" || line.startsWith("#")) return;
    const [, id, secret, publicText, created] = LINE.exec(line) ?? [];
    const keyId = Number(id);
    const isNew = keys.every(({ config }) => config.keyId !== keyId);
    if (created === undefined || keyId >= KEY_IDS || !isNew || Number.isNaN(Date.parse(created))) {
      throw new Error(`${file}: line ${i + 1} is not a key`);
    }
    const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, "base64url"));
    keys.push({
      config: { keyId, publicKey: bytes(publicText!), algorithms: ALGORITHMS },
      privateKey: bytes(secret!),
      created: Date.parse(created),
    });
  });
  if (keys.length === 0) throw new Error(`${file} has no key`);
  return keys;
}

export function formatOhttpKeys(keys: readonly DatedKey[]): string {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const lines = keys.map(({ config: { keyId, publicKey }, privateKey, created }) =>
    [keyId, base64(privateKey), base64(publicKey), new Date(created).toISOString()].join(" "),
  );
  return `${HEADER}${lines.join("\n")}\n`;
}

/**
 * Adds a new key before the others. An old key stays for `overlap` milliseconds after it was replaced, because clients
 * may still use it.
 */
export async function withNewKey(
  keys: readonly DatedKey[],
  now: number,
  overlap: number,
): Promise<readonly DatedKey[]> {
  const kept = keys.filter((_, i) => i === 0 || now - keys[i - 1]!.created < overlap);
  const used = new Set(kept.map(({ config }) => config.keyId));
  let keyId = kept.length === 0 ? 0 : (kept[0]!.config.keyId + 1) % KEY_IDS;
  while (used.has(keyId)) keyId = (keyId + 1) % KEY_IDS;
  return [{ ...(await generateGatewayKey(keyId)), created: now }, ...kept];
}

/** Creates the gateway for keys, the newest first. */
export async function openOhttpKeys(keys: readonly DatedKey[]): Promise<OhttpKeys> {
  const published = encodeKeyConfigs([keys[0]!.config]);
  return { gateway: await createGateway(keys), published };
}
