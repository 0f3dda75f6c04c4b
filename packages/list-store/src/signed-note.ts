import { fromHex, fullHash, toHex } from "@x/sha256-prefix";
import { concatBytes, decodeText, encodeText, equalBytes, fromBase64, toBase64 } from "./bytes.ts";
import { StoreError } from "./error.ts";

/*
 * Signed notes, as in https://c2sp.org/signed-note: text that ends in a newline, an empty line, and a line for
 * each signature, `— <key name> <base64 of key ID and signature>`. Keys are Ed25519.
 */

const ED25519 = 1;
const KEY_ID_BYTES = 4;
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** The beginning of an Ed25519 key in PKCS #8, before the 32 secret bytes. */
const PKCS8_HEAD = fromHex("302e020100300506032b657004220420");
const KEY_NAME = /^[^\s+]{1,64}$/u;

/** Signs notes with one key. */
export interface Signer {
  /** The public key in its text form, `<name>+<key ID>+<base64>`. */
  readonly publicKey: string;
  sign(message: Uint8Array): Promise<Uint8Array>;
}

interface PublicKey {
  readonly name: string;
  /** The key ID in lower-case hex. */
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

function keyId(name: string, publicKey: Uint8Array): string {
  const typed = concatBytes([encodeText(`${name}\n`), Uint8Array.of(ED25519), publicKey]);
  return toHex(fullHash(typed).subarray(0, KEY_ID_BYTES));
}

function formatPublicKey(name: string, bytes: Uint8Array): string {
  const typed = concatBytes([Uint8Array.of(ED25519), bytes]);
  return `${name}+${keyId(name, bytes)}+${toBase64(typed)}`;
}

function parsePublicKey(text: string): PublicKey {
  const [, name, id, typed] =
    /^([^\s+]{1,64})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  const bytes = fromBase64(typed ?? "");
  if (
    name === undefined ||
    id === undefined ||
    bytes?.length !== 1 + PUBLIC_KEY_BYTES ||
    bytes[0] !== ED25519 ||
    keyId(name, bytes.subarray(1)) !== id
  ) {
    throw new StoreError("invalid", `${JSON.stringify(text.slice(0, 80))} is not a public key`);
  }
  return { name, id, bytes: bytes.slice(1) };
}

/** Throws unless the text is a public key, `<name>+<key ID>+<base64>`. */
export function checkPublicKey(text: string): void {
  parsePublicKey(text);
}

/**
 * The public keys in the text of a file: one on each line. Blank lines and those that start with `#` are ignored.
 *
 * @throws {StoreError} `invalid` when any other line is not a public key.
 */
export function publicKeysIn(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
  keys.forEach(checkPublicKey);
  return keys;
}

/**
 * Generates an Ed25519 signing key, as the text `PRIVATE+KEY+<name>+<key ID>+<base64>`. Throws `invalid` unless the
 * name has 1 to 64 characters, none of them white space or `+`.
 */
export async function generateSigningKey(name: string): Promise<string> {
  if (!KEY_NAME.test(name)) {
    throw new StoreError("invalid", `${JSON.stringify(name)} cannot name a key`);
  }
  const { privateKey, publicKey } = await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
    "verify",
  ]);
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey));
  const id = keyId(name, new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)));
  const typed = concatBytes([Uint8Array.of(ED25519), pkcs8.subarray(-32)]);
  return `PRIVATE+KEY+${name}+${id}+${toBase64(typed)}`;
}

/** Makes a signer from the text of a signing key. Throws `invalid` for any other text. */
export async function signerOf(signingKey: string): Promise<Signer> {
  const invalid = new StoreError("invalid", "The text does not contain a signing key");
  const [, name, id, typed] =
    /^PRIVATE\+KEY\+([^\s+]{1,64})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(signingKey.trim()) ??
    [];
  const secret = fromBase64(typed ?? "");
  if (name === undefined || secret?.length !== 33 || secret[0] !== ED25519) throw invalid;
  const pkcs8 = concatBytes([PKCS8_HEAD, secret.subarray(1)]);
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  const { x } = await crypto.subtle.exportKey("jwk", key);
  const publicKey = fromBase64(`${x!.replaceAll("-", "+").replaceAll("_", "/")}=`)!;
  if (keyId(name, publicKey) !== id) throw invalid;
  return {
    publicKey: formatPublicKey(name, publicKey),
    sign: async (message) =>
      new Uint8Array(await crypto.subtle.sign("Ed25519", key, new Uint8Array(message))),
  };
}

/** Makes a note with one signature. The text must end in a newline. */
export async function signNote(text: string, signer: Signer): Promise<Uint8Array> {
  const { name, id } = parsePublicKey(signer.publicKey);
  const signature = concatBytes([fromHex(id), await signer.sign(encodeText(text))]);
  return encodeText(`${text}\n— ${name} ${toBase64(signature)}\n`);
}

/** Splits a note into its text and its signatures, which are not verified; `null` when it is not a note. */
function splitNote(note: Uint8Array): { text: string; signatures: Map<string, Uint8Array> } | null {
  const whole = decodeText(note);
  const end = whole.lastIndexOf("\n\n");
  if (end < 0 || !equalBytes(encodeText(whole), note)) return null;
  const signatures = new Map<string, Uint8Array>();
  const lines = whole.slice(end + 2).split("\n");
  if (lines.pop() !== "" || lines.length === 0) return null;
  for (const line of lines) {
    const [, name, base64] = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? [];
    if (name === undefined) return null;
    const bytes = fromBase64(base64!);
    if (bytes === null) return null;
    if (bytes.length !== KEY_ID_BYTES + SIGNATURE_BYTES) continue;
    const id = toHex(bytes.subarray(0, KEY_ID_BYTES));
    signatures.set(`${name}+${id}`, bytes.subarray(KEY_ID_BYTES));
  }
  return { text: whole.slice(0, end + 1), signatures };
}

/** The text of a note; signatures are not checked. `null` when it is not a note. */
export function textOfNote(note: Uint8Array): string | null {
  return splitNote(note)?.text ?? null;
}

/** Returns whether a message has a valid Ed25519 signature. The public key has 32 bytes. */
export type Verify = (
  publicKey: Uint8Array,
  signature: Uint8Array,
  message: Uint8Array,
) => boolean | Promise<boolean>;

const verifyEd25519: Verify = async (publicKey, signature, message) => {
  const raw = new Uint8Array(publicKey);
  const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
  const copies = [new Uint8Array(signature), new Uint8Array(message)] as const;
  return crypto.subtle.verify("Ed25519", key, ...copies);
};

/**
 * Whether one of the public keys has signed a note. `trusted-log.ts` refuses notes that none of them has signed.
 * `verify` replaces the platform's Web Crypto.
 */
export async function isSignedByOne(
  note: Uint8Array,
  publicKeys: readonly string[],
  verify: Verify = verifyEd25519,
): Promise<boolean> {
  const split = splitNote(note);
  if (split === null) return false;
  for (const publicKey of publicKeys) {
    const { name, id, bytes } = parsePublicKey(publicKey);
    const signature = split.signatures.get(`${name}+${id}`);
    if (signature === undefined) continue;
    if (await verify(bytes, signature, encodeText(split.text))) return true;
  }
  return false;
}
