export { type Coverage, coverage } from "./coverage.ts";
export { type Expression, exactExpression, expressions } from "./expressions.ts";
export type { ExpressionOptions, RegistrableDomain } from "./slices.ts";
