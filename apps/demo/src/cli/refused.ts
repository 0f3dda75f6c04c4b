/** What a command does not take, and says so; the rest of its input is dealt with. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** The reason in a word that programs can compare. */
  readonly code: string;
  /** More members for the record of the error. */
  readonly facts: object;
  /** Printable lines for people, below the message. */
  readonly details: readonly string[];

  constructor(
    code: string,
    message: string,
    { facts = {}, details = [] }: { facts?: object; details?: readonly string[] } = {},
  ) {
    super(message);
    this.code = code;
    this.facts = facts;
    this.details = details;
  }
}
