import { HttpProblem } from "../http/http-problem.ts";
import type { RequestHead } from "../http/request.ts";

export function contentType({ headers }: RequestHead): string {
  return (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/** Throws unless the body is unencoded UTF-8. Anything else would be read as different URLs. */
export function checkEncoding({ headers }: RequestHead): void {
  const coding = headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity") {
    throw new HttpProblem(415, "Send the body without a Content-Encoding.");
  }
  const [, charset = "utf-8"] =
    /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers.get("content-type") ?? "") ?? [];
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new HttpProblem(415, "Send the body in UTF-8.");
}
