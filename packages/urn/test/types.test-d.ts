import type { StandardSchemaV1 } from "@standard-schema/spec";
import type * as main from "@x/urn";
import type * as namespaces from "@x/urn/namespaces";
import type * as schema from "@x/urn/schema";
import { expectTypeOf } from "vitest";

type Syntax = { readonly syntax?: "rfc2141" | "rfc8141" | undefined };

expectTypeOf<main.Urn>().toEqualTypeOf<{
  readonly nid: string;
  readonly nss: string;
  readonly rComponent: string | null;
  readonly qComponent: string | null;
  readonly fComponent: string | null;
}>();
expectTypeOf<main.UrnSyntaxOptions>().toEqualTypeOf<Syntax>();
expectTypeOf<typeof main.parseUrn>().toEqualTypeOf<(text: string, options?: Syntax) => main.Urn>();
expectTypeOf<typeof main.tryParseUrn>().toEqualTypeOf<
  (text: string, options?: Syntax) => main.Urn | null
>();
expectTypeOf<typeof main.isUrn>().toEqualTypeOf<(text: string, options?: Syntax) => boolean>();
expectTypeOf<typeof main.formatUrn>().toEqualTypeOf<(urn: main.Urn, options?: Syntax) => string>();
expectTypeOf<typeof main.normalizeUrn>().toEqualTypeOf<(urn: main.Urn) => main.Urn>();
expectTypeOf<typeof main.usesReservedCharacters>().toEqualTypeOf<(urn: main.Urn) => boolean>();
expectTypeOf<typeof main.equivalentUrns>().toEqualTypeOf<
  (a: main.Urn | string, b: main.Urn | string, options?: main.EquivalenceOptions) => boolean
>();
expectTypeOf<typeof main.canonicalKey>().toEqualTypeOf<
  (urn: main.Urn | string, options?: main.EquivalenceOptions) => string
>();
expectTypeOf<main.EquivalenceOptions>().toEqualTypeOf<{
  readonly syntax?: "rfc2141" | "rfc8141" | undefined;
  readonly by?: "namespace" | "rfc8141" | "rfc2141" | "exact" | undefined;
  readonly namespaces?: main.NamespaceRules | undefined;
}>();
expectTypeOf<main.NamespaceRules>().toEqualTypeOf<{
  readonly [nid: string]: (nss: string) => string;
}>();
expectTypeOf<typeof main.encodeNss>().toEqualTypeOf<
  (
    name: string,
    options?: {
      readonly syntax?: "rfc2141" | "rfc8141" | undefined;
      readonly special?: string | undefined;
    },
  ) => string
>();
expectTypeOf<typeof main.decodeNss>().toEqualTypeOf<(nss: string, options?: Syntax) => string>();
expectTypeOf<typeof main.displayUrn>().toEqualTypeOf<
  (urn: main.Urn | string, options?: Syntax) => main.UrnDisplay
>();
expectTypeOf<main.UrnDisplay>().toEqualTypeOf<{
  readonly canonical: string;
  readonly readable: main.UrnDisplayText;
}>();
expectTypeOf<string>().not.toExtend<main.UrnDisplayText>();
expectTypeOf<main.FoundUrn>().toEqualTypeOf<{
  readonly urn: main.Urn;
  readonly start: number;
  readonly end: number;
  readonly isCut: boolean;
}>();
type Find = {
  readonly syntax?: "rfc2141" | "rfc8141" | undefined;
  readonly trimDelimiters?: boolean | undefined;
  readonly trimPunctuation?: boolean | undefined;
};
expectTypeOf<typeof main.findUrns>().toEqualTypeOf<
  (text: string, options?: Find) => main.FoundUrn[]
>();
expectTypeOf<main.UnreadPart>().toEqualTypeOf<{
  readonly urn: null;
  readonly why: "run-too-long" | "other-scheme" | "escaped-name";
  readonly start: number;
  readonly end: number;
}>();
type FindInPieces = {
  readonly syntax?: "rfc2141" | "rfc8141" | undefined;
  readonly trimDelimiters?: boolean | undefined;
  readonly trimPunctuation?: boolean | undefined;
  readonly maxRunLength?: number | undefined;
};
expectTypeOf<typeof main.urnFinder>().toEqualTypeOf<(options?: FindInPieces) => main.UrnFinder>();
expectTypeOf<main.UrnFinder>().toEqualTypeOf<{
  readonly push: (piece: string) => (main.FoundUrn | main.UnreadPart)[];
  readonly end: () => (main.FoundUrn | main.UnreadPart)[];
}>();
expectTypeOf<typeof main.urnProblem>().toEqualTypeOf<
  (text: string, options?: main.UrnSyntaxOptions) => main.UrnProblem | null
>();
expectTypeOf<Omit<main.UrnProblem, "message" | "allowedBy">>().toExtend<
  Pick<main.UrnError, "code" | "expected" | "index" | "section">
>();
expectTypeOf<main.UrnError>().toExtend<Error>();
expectTypeOf<main.UrnError["code"]>().toEqualTypeOf<main.UrnErrorCode>();
expectTypeOf<main.UrnError["expected"]>().toBeString();
expectTypeOf<main.UrnError["allowedBy"]>().toEqualTypeOf<"rfc8141" | null>();
expectTypeOf<typeof namespaces.namespaceRules>().toEqualTypeOf<main.NamespaceRules>();
expectTypeOf<typeof namespaces.checkNamespace>().toEqualTypeOf<
  (
    urn: main.Urn | string,
    options?: {
      readonly syntax?: "rfc2141" | "rfc8141" | undefined;
      readonly checks?: namespaces.NamespaceChecks | undefined;
    },
  ) => readonly namespaces.NamespaceProblem[]
>();

type SchemaOptions = {
  readonly syntax?: "rfc2141" | "rfc8141" | undefined;
  readonly nids?: readonly string[] | undefined;
  readonly checks?: boolean | namespaces.NamespaceChecks | undefined;
};
expectTypeOf<typeof schema.urn>().toEqualTypeOf<(options?: SchemaOptions) => schema.UrnSchema>();
expectTypeOf<schema.UrnSchema>().toExtend<StandardSchemaV1<string, string>>();
expectTypeOf<StandardSchemaV1.InferInput<schema.UrnSchema>>().toBeString();
expectTypeOf<StandardSchemaV1.InferOutput<schema.UrnSchema>>().toBeString();
expectTypeOf<schema.UrnIssue>().toEqualTypeOf<{
  readonly message: string;
  readonly code: string;
  readonly index: number | null;
  readonly section: string | null;
  readonly allowedBy?: "rfc8141";
}>();
expectTypeOf<schema.UrnSchemaResult["issues"]>().toEqualTypeOf<
  readonly schema.UrnIssue[] | undefined
>();
expectTypeOf<namespaces.NamespaceChecks[string]>().toEqualTypeOf<namespaces.NamespaceCheck>();
