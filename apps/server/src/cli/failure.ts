/** A reason why the command cannot go on, as one sentence for the person who called it. */
export class Failure extends Error {
  override readonly name = "Failure";
}
