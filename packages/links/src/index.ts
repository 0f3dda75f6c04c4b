export type { FoundLink } from "./found-link.ts";
