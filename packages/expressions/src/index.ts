export { exactExpression } from "./exact-expression.ts";
export { type Expression, expressions } from "./expressions.ts";
export type { RegistrableDomain } from "./host-suffixes.ts";
export {
  type ExpressionOptions,
  type ExpressionSlices,
  expressionSlices,
  MAX_EXPRESSIONS,
  sliceExpressions,
} from "./slices.ts";
