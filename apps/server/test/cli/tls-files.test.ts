import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { readTlsFiles } from "../../src/cli/serving/site-options.ts";

const [CERT, KEY] = ["cert", "key"].map((name) =>
  fileURLToPath(new URL(`../support/tls/test-only.${name}.pem`, import.meta.url)),
) as [string, string];

const { write } = temporaryFolder();

const PEM = { type: "pkcs8", format: "pem" } as const;
const SPKI = { type: "spki", format: "pem" } as const;

test("a certificate and its key are read, with the rest of the chain", async () => {
  const cert = readFileSync(CERT);
  const chain = write("chain.pem", Buffer.concat([cert, cert]));
  expect(await readTlsFiles({ certificate: chain, key: KEY })).toEqual({
    cert: readFileSync(chain),
    key: readFileSync(KEY),
    expires: Date.UTC(2126, 9, 29, 9, 17, 29),
  });
});

test.each([
  ["is empty", ""],
  ["is something else", "hello\n"],
  ["is cut short", readFileSync(CERT, "utf8").slice(0, 300)],
  ["is a key", readFileSync(KEY, "utf8")],
])("a certificate that %s is named", async (_, text) => {
  const file = write("cert.pem", text);
  await expect(readTlsFiles({ certificate: file, key: KEY })).rejects.toMatchObject({
    name: "Failure",
    message: expect.stringContaining(`${file} cannot be used as a certificate: `),
  });
});

test.each([
  ["is empty", ""],
  ["is something else", "hello\n"],
  ["is a certificate", readFileSync(CERT, "utf8")],
  [
    "needs a password",
    generateKeyPairSync("ec", {
      namedCurve: "P-256",
      privateKeyEncoding: { ...PEM, cipher: "aes-256-cbc", passphrase: "test-only" },
      publicKeyEncoding: SPKI,
    }).privateKey,
  ],
])("a key that %s is named", async (_, text) => {
  const file = write("key.pem", text);
  await expect(readTlsFiles({ certificate: CERT, key: file })).rejects.toMatchObject({
    name: "Failure",
    message: expect.stringContaining(`${file} cannot be used as a private key: `),
  });
});

test.each([
  ["the same", generateKeyPairSync("ec", { namedCurve: "P-256" })],
  ["another", generateKeyPairSync("rsa", { modulusLength: 2048 })],
])("a key of %s kind that belongs to another certificate is refused", async (_, pair) => {
  const file = write("key.pem", pair.privateKey.export(PEM));
  await expect(readTlsFiles({ certificate: CERT, key: file })).rejects.toMatchObject({
    name: "Failure",
    message: `The key in ${file} does not belong to the certificate in ${CERT}`,
  });
});

test("a directory is named", async () => {
  const directory = fileURLToPath(new URL(".", import.meta.url));
  await expect(readTlsFiles({ certificate: CERT, key: directory })).rejects.toMatchObject({
    code: "EISDIR",
    path: directory,
  });
});
