import type { UrlExplanation } from "@x/explain";
import type { VNode } from "preact";
import { Shortened } from "../../components/data.tsx";

type Role = "scheme" | "host" | "path" | "query";

interface PartProps {
  readonly kind: Role;
  readonly text: string;
  readonly limit?: number;
}

/** A part of a URL, in the colour and with the underline of its role. */
export function Part({ kind, text, limit = 600 }: PartProps): VNode {
  return (
    <span class={`part ${kind}`}>
      <Shortened text={text} limit={limit} />
    </span>
  );
}

const LEGEND: readonly (readonly [Role, string])[] = [
  ["scheme", "scheme"],
  ["host", "host"],
  ["path", "path"],
  ["query", "query"],
];

export function CanonicalParts({ url }: { readonly url: UrlExplanation }): VNode {
  const { scheme, host, path, query } = url;
  const roles = LEGEND.filter(([role]) => role !== "query" || query !== null);
  return (
    <>
      <p
        class="data big"
        dir="ltr"
        data-testid={url.refused === null ? "canonical" : "browser-canonical"}
      >
        <Part kind="scheme" text={scheme} />
        ://
        <Part kind="host" text={host} />
        <Part kind="path" text={path} />
        {query !== null && (
          <>
            ?<Part kind="query" text={query} />
          </>
        )}
      </p>
      <ul class="legend" aria-label="Parts">
        {roles.map(([role, label]) => (
          <li key={role}>
            <span class={`part ${role}`}>{label}</span>
          </li>
        ))}
        <li class="muted">host is {HOST_TYPES[url.hostType]}</li>
      </ul>
    </>
  );
}

const HOST_TYPES: Readonly<Record<UrlExplanation["hostType"], string>> = {
  domain: "a domain name",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
};
