/** A copy of options without properties that other code added to every object: those of `Object.prototype` are not options. */
export function ownOptions<Options extends object>(options: Options): Options {
  return Object.assign(Object.create(null) as Options, options);
}
