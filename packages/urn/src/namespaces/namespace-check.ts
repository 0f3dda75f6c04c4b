/** A rule of a namespace that a name breaks. */
export interface NamespaceProblem {
  /** The rule, for programs to compare, such as `"isbn-check-digit"`. */
  readonly code: string;
  /** A sentence that describes the expected NSS. */
  readonly message: string;
  /** The section with the rule. */
  readonly section: string;
  /**
   * Present when the NSS under RFC 2141 includes text that RFC 8141 treats as components, and the rest breaks no rule:
   * the URN can be read with `{ syntax: "rfc8141" }`. `checkNamespace` sets this property, and adds a sentence to
   * `message`.
   */
  readonly allowedBy?: "rfc8141";
}

/** A function that takes an NSS, as written, and returns the rules of the namespace that it breaks. */
export type NamespaceCheck = (nss: string) => readonly NamespaceProblem[];

/** A condition that the names of a namespace must meet. */
export interface Condition {
  /** The code of the problem when the condition is not met, for programs to compare. */
  readonly code: string;
  /** A description of the expected NSS. */
  readonly expected: string;
  /** The section with the condition. */
  readonly section: string;
  readonly holds: (nss: string) => boolean;
}

/** Only the first condition that fails is reported: a check digit means nothing when the form is wrong. */
export function checkOf(conditions: readonly Condition[]): NamespaceCheck {
  return (nss) => {
    const broken = conditions.find((condition) => !condition.holds(nss));
    if (broken === undefined) return [];
    const { code, expected, section } = broken;
    return [{ code, message: `Expected ${expected}.`, section }];
  };
}

/** `1*DIGIT` */
export function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

/** `1*(ALPHA / DIGIT)` */
export function isLettersAndDigits(text: string): boolean {
  return /^[0-9A-Za-z]+$/.test(text);
}

/** `1*(ALPHA / DIGIT / "-")` */
export function isLettersDigitsAndHyphens(text: string): boolean {
  return /^[0-9A-Za-z-]+$/.test(text);
}
