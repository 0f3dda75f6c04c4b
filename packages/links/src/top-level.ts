import { topLevelDomains } from "@x/canon/top-level-domains";
import { TOP_LEVEL_DOMAINS } from "./top-level-domains.generated.ts";

const NAMES: ReadonlySet<string> = new Set(TOP_LEVEL_DOMAINS.split(" "));

/** Whether a canonical host ends in a top-level domain that exists, or in a label for special use. */
export const hasTopLevelDomain: (host: string) => boolean = topLevelDomains((label) =>
  NAMES.has(label),
);
