import { getSystemErrorMap } from "node:util";

/** Thrown to end the command with one line for the user and the exit status 2. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** For `catch`: throws a failure with a message such as `cannot read urls.txt: no such file or directory`. */
export function failTo(what: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Failure) throw error;
    throw new Failure(`cannot ${what}: ${reasonOf(error)}`);
  };
}

/** Says in one clause what went wrong, without the name of a system call. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno, code } = error as NodeJS.ErrnoException;
  // Other libraries, such as zlib, have their own error numbers.
  const [name, reason] = getSystemErrorMap().get(errno ?? 0) ?? [];
  return name !== undefined && name === code ? reason! : error.message;
}
