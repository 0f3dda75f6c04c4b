import type { Example } from "../../components/examples.tsx";

/** Pairs of URNs: examples from the specifications, and others. */
export const URN_EXAMPLES: readonly Example<{ readonly u: string; readonly v: string }>[] = [
  {
    label: "ISBN, with and without hyphens",
    value: { u: "URN:ISBN:0-395-36341-1", v: "urn:isbn:0395363411" },
  },
  {
    label: "Upper and lower case (RFC 2141 §5)",
    value: { u: "URN:FOO:a123,456", v: "urn:foo:a123,456" },
  },
  {
    label: "An escape is not its character (RFC 2141 §5)",
    value: { u: "urn:foo:a123%2C456", v: "urn:foo:a123,456" },
  },
  {
    label: "Case in an escape (RFC 2141 §5)",
    value: { u: "urn:foo:a123%2c456", v: "URN:FOO:a123%2C456" },
  },
  {
    label: "Components (RFC 8141)",
    value: {
      u: "urn:example:foo-bar-baz-qux?+CCResolve:cc=uk?=op=map&lat=34.47#somepart",
      v: "urn:example:foo-bar-baz-qux",
    },
  },
  {
    label: "A tilde (RFC 8141 only)",
    value: { u: "urn:example:~a&b", v: "urn:example:%7Ea&b" },
  },
  {
    label: "Decoded for display",
    value: { u: "urn:example:Z%c3%bcrich%2C%20%E2%80%AEgpj", v: "urn:example:Z%C3%BCrich" },
  },
  {
    label: "A wrong check digit",
    value: { u: "urn:isbn:0-395-36341-2", v: "urn:isbn:0-395-36341-1" },
  },
  { label: "Not URNs", value: { u: "urn:-a:b c", v: "urn:example:a%zz" } },
];
