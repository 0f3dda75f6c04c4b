import type { Operator } from "../serve/pages/operator.ts";

/** The settings that say who runs a server. */
export interface OperatorOptions {
  readonly operatorName?: string;
  readonly operatorContact?: string;
  readonly operatorText?: string;
}

export function operatorOf(options: OperatorOptions): Operator {
  const { operatorName: name, operatorContact: contact, operatorText: text } = options;
  return { name: name ?? null, contact: contact ?? null, text: text ?? null };
}
