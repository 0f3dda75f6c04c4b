export {
  type Expression,
  type ExpressionOptions,
  type ExpressionSlices,
  expressionSlices,
  expressions,
} from "./expressions.ts";
export type { RegistrableDomain } from "./host-suffixes.ts";
