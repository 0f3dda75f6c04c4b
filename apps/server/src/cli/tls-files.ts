import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { Failure } from "@x/command-line";
import type { Certificate } from "../serve/endpoints.ts";
import { namingFile } from "../storage/naming-file.ts";
import type { Settings } from "./settings/schema.ts";

/** Calls `read`. If it throws, the error names the file and its purpose. */
function readAs<Read>(file: string, what: string, read: () => Read): Read {
  try {
    return read();
  } catch (cause) {
    const { message } = cause as Error;
    throw new Failure(`${file} cannot be used as ${what}: ${message}`, { cause });
  }
}

/**
 * Reads the certificate chain and its key, and checks that they belong together. Otherwise, a server could start
 * although no client can connect to it.
 */
export async function readTlsFiles({
  certificate: certFile,
  key: keyFile,
}: NonNullable<Settings["tls"]>): Promise<Certificate> {
  const cert = await readFile(certFile).catch(namingFile(certFile));
  const key = await readFile(keyFile).catch(namingFile(keyFile));
  const first = readAs(certFile, "a certificate", () => new X509Certificate(cert));
  const privateKey = readAs(keyFile, "a private key", () => createPrivateKey(key));
  if (!first.checkPrivateKey(privateKey)) {
    throw new Failure(`The key in ${keyFile} does not belong to the certificate in ${certFile}`);
  }
  readAs(certFile, "a certificate", () => createSecureContext({ cert, key }));
  return { cert, key, expires: Date.parse(first.validTo) };
}
