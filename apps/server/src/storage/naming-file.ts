/** Returns a function that adds the path of a file to an error and throws it: Node's error for a directory has none. */
export function namingFile(path: string): (error: unknown) => never {
  return (error) => {
    throw Object.assign(error as Error, { path });
  };
}
