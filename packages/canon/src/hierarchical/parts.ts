import { DEFAULT_PORTS } from "./default-ports.ts";
import type { AbsoluteUri } from "./reference.ts";

/** What the steps of Appendix A work on, one after the other. Empty strings are parts that are missing. */
export interface Parts {
  scheme: string;
  /** An authority that is no user/host/port triple, whole; then the three are empty. */
  authority: string;
  user: string;
  host: string;
  port: string;
  segments: string[];
  query: string | null;
  fragment: string | null;
}

/** Appendix A step (2): the authority is split where the scheme says that it is a triple. */
export function decompose(uri: AbsoluteUri): Parts {
  const { scheme, path, query, fragment } = uri;
  const authority = uri.authority ?? "";
  const segments = path === "" ? [] : path.slice(1).split("/");
  const triple = DEFAULT_PORTS.has(scheme) ? splitAuthority(authority) : null;
  if (triple !== null) return { scheme, authority: "", ...triple, segments, query, fragment };
  return { scheme, authority, user: "", host: "", port: "", segments, query, fragment };
}

const HOST_AND_PORT = /^(\[[^[\]]*\]|[^:[\]]+)(?::([0-9]*))?$/;

/**
 * RFC 2396 §3.2.2, with the brackets of RFC 2732; null for an authority without a host, or whose port is
 * no number. RFC 2396 §3.2.1 calls such an authority a name of its scheme's own, so it stays whole.
 */
function splitAuthority(authority: string): Pick<Parts, "user" | "host" | "port"> | null {
  const at = authority.lastIndexOf("@");
  const match = HOST_AND_PORT.exec(authority.slice(at + 1));
  if (match === null) return null;
  return { user: authority.slice(0, Math.max(at, 0)), host: match[1]!, port: match[2] ?? "" };
}
