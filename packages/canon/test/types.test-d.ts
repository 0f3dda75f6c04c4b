import {
  type CanonError,
  type CanonErrorCode,
  type CanonicalizationStep,
  type CanonicalizationStepName,
  type CanonicalUrl,
  canonicalize,
  type DescribedProblem,
  describeProblem,
  explainCanonicalization,
  type HostType,
  parseUrl,
  tryParseUrl,
  type UrlProblem,
} from "@x/canon";
import { browserHref, tryParseUrlAsBrowser } from "@x/canon/browser";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import { expectTypeOf } from "vitest";

expectTypeOf(canonicalize).toEqualTypeOf<(url: string | Uint8Array) => string>();
expectTypeOf(parseUrl).toEqualTypeOf<(url: string | Uint8Array) => CanonicalUrl>();
expectTypeOf(tryParseUrl).toEqualTypeOf<(url: string | Uint8Array) => CanonicalUrl | null>();
expectTypeOf(explainCanonicalization).toEqualTypeOf<
  (url: string | Uint8Array) => readonly CanonicalizationStep[]
>();

expectTypeOf(describeProblem).toEqualTypeOf<
  (input: string | Uint8Array, problem: UrlProblem) => DescribedProblem
>();
expectTypeOf<Omit<DescribedProblem, "message">>().toExtend<
  Pick<CanonError, "code" | "index" | "expected" | "section">
>();

expectTypeOf(tryParseUrlAsBrowser).toEqualTypeOf<
  (url: string | Uint8Array) => CanonicalUrl | null
>();
expectTypeOf(browserHref).toEqualTypeOf<(url: string | Uint8Array) => string | null>();

expectTypeOf<CanonicalUrl>().toEqualTypeOf<{
  readonly href: string;
  readonly scheme: string;
  readonly host: string;
  readonly hostType: HostType;
  readonly path: `/${string}`;
  readonly query: string | null;
}>();
expectTypeOf<HostType>().toEqualTypeOf<"domain" | "ipv4" | "ipv6">();
expectTypeOf<CanonicalizationStep>().toEqualTypeOf<{
  readonly step: CanonicalizationStepName;
  readonly section: string;
  readonly text: string;
  readonly changed: boolean;
}>();

expectTypeOf<CanonError>().toExtend<Error>();
expectTypeOf<CanonError["code"]>().toEqualTypeOf<CanonErrorCode>();
expectTypeOf<CanonErrorCode>().toEqualTypeOf<
  | "too-long"
  | "lone-surrogate"
  | "authority-missing"
  | "host-missing"
  | "host-undecided"
  | "host-invalid"
  | "url-unclear"
  | "character-excluded"
  | "scheme-invalid"
  | "base-missing"
  | "base-relative"
  | "base-opaque"
  | "not-hierarchical"
>();
expectTypeOf<CanonError["input"]>().toEqualTypeOf<string | Uint8Array>();
expectTypeOf<CanonError["index"]>().toEqualTypeOf<number | null>();
expectTypeOf<CanonError["expected"]>().toEqualTypeOf<string>();
expectTypeOf<CanonError["section"]>().toEqualTypeOf<string>();

expectTypeOf(verifyCanonical).toEqualTypeOf<
  (bytes: Uint8Array, start: number, end: number, spans: CanonicalSpans) => boolean
>();
expectTypeOf<UrlProblem>().toEqualTypeOf<{
  readonly code: CanonErrorCode;
  readonly index: number | null;
}>();
expectTypeOf<CanonicalSpans>().toEqualTypeOf<{
  hostType: HostType;
  host: number;
  path: number;
  query: number;
  end: number;
}>();

// @ts-expect-error A `URL` no longer holds everything that the rules need.
canonicalize(new URL("http://a/"));
