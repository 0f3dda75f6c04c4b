/** A copy of options without what other code added to every object: properties of `Object.prototype` are not options. */
export function ownOptions<Options extends object>(options: Options): Options {
  return Object.assign(Object.create(null) as Options, options);
}
