/**
 * Returns a function that adds the path of a file to an error and throws it, because the error for reading a directory
 * has no path.
 */
export function namingFile(path: string): (error: unknown) => never {
  return (error) => {
    throw Object.assign(error as Error, { path });
  };
}
