/** The reason why the command cannot continue, as one sentence for the person who ran it. */
export class Failure extends Error {
  override readonly name = "Failure";
}
