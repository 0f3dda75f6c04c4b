import type * as main from "@x/links";
import type * as mail from "@x/links/mail";
import type * as text from "@x/links/text";
import { expectTypeOf } from "vitest";

expectTypeOf<main.FoundLink>().toEqualTypeOf<{
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly url: string;
  readonly where: string;
  readonly isDefanged: boolean;
  readonly shown: string | null;
}>();
expectTypeOf<main.FindLinksOptions>().toEqualTypeOf<{
  readonly as?: main.TextFormat | undefined;
  readonly base?: string | undefined;
}>();
expectTypeOf<main.TextFormat>().toEqualTypeOf<"text" | "html" | "markdown">();
expectTypeOf<typeof main.findLinks>().toEqualTypeOf<
  (text: string, options?: main.FindLinksOptions) => main.FoundLink[]
>();
expectTypeOf<typeof main.findLinksInStream>().toEqualTypeOf<
  (
    pieces: AsyncIterable<string> | Iterable<string>,
    options?: main.FindLinksOptions,
  ) => AsyncGenerator<main.FoundLink, void>
>();
expectTypeOf<typeof text.findLinksInText>().toEqualTypeOf<(text: string) => main.FoundLink[]>();
expectTypeOf<typeof mail.findLinksInMail>().toEqualTypeOf<
  (
    mail: Uint8Array | string,
    options?: { readonly maxBytes?: number | undefined },
  ) => Promise<mail.MailLinks>
>();
expectTypeOf<typeof mail.recognizeMail>().toEqualTypeOf<
  (start: string, isWhole?: boolean) => "mail" | "mbox" | "neither" | "unknown"
>();
expectTypeOf<typeof mail.markedEncoding>().toEqualTypeOf<
  (bytes: Uint8Array) => "utf-16le" | "utf-16be" | null
>();
expectTypeOf<mail.MailLinks>().toEqualTypeOf<{
  readonly links: readonly mail.MailLink[];
  readonly unread: readonly mail.UnreadPart[];
  readonly problems: readonly mail.MailProblem[];
}>();
expectTypeOf<mail.MailProblem>().toEqualTypeOf<{
  readonly part: readonly string[];
  readonly code: mail.MailProblemCode;
}>();
