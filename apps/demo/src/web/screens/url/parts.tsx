import type { UrlExplanation } from "@x/explain";
import type { VNode } from "preact";
import { Shortened } from "../../components/data.tsx";

const ROLES = ["scheme", "host", "path", "query"] as const;

interface PartProps {
  readonly kind: (typeof ROLES)[number];
  readonly text: string;
  readonly limit?: number;
}

/** A part of a URL, with the colour and the underline of its role. */
export function Part({ kind, text, limit = 600 }: PartProps): VNode {
  return (
    <span class={`part ${kind}`}>
      <Shortened text={text} limit={limit} />
    </span>
  );
}

export function CanonicalParts({ url }: { readonly url: UrlExplanation }): VNode {
  const { scheme, host, path, query } = url;
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
      <ul class="row legend" aria-label="Parts">
        {ROLES.filter((role) => url[role] !== null).map((role) => (
          <li key={role}>
            <span class={`part ${role}`}>{role}</span>
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
