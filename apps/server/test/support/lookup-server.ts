import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { request as tlsRequest } from "node:https";
import type { RunningServer } from "../../src/serve/server.ts";

/** Sends JSON to `/lookup`. */
export async function postLookUp(
  { origin }: RunningServer,
  body: unknown,
  { query = "", headers = {} as Readonly<Record<string, string>> } = {},
): Promise<{ status: number; headers: Headers; body: ReturnType<typeof JSON.parse> }> {
  const response = await fetch(`${origin}/lookup${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Opens a request to `/lookup`, into which rows can be written one after the other. */
export function openStream({ origin }: RunningServer, type: string, query = ""): ClientRequest {
  const send = origin.startsWith("https:") ? tlsRequest : request;
  const headers = { "Content-Type": type };
  // No authority has signed the certificate of the tests.
  const options = { method: "POST", headers, rejectUnauthorized: false };
  return send(`${origin}/lookup${query}`, options);
}

/** Reads the answer to a stream. Returns its status, its text, and whether it is complete. */
export async function readStream(
  sent: ClientRequest,
): Promise<{ status: number; text: string; isWhole: boolean }> {
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  try {
    for await (const piece of response) text += piece;
  } catch {
    // The server closed the connection before the end.
  }
  return { status: response.statusCode!, text, isWhole: response.complete };
}

export function rowsOf(text: string): ReturnType<typeof JSON.parse>[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
