/** A copy of options without what others added to every object: properties of `Object.prototype` set no option. */
export function ownOptions<Options extends object>(options: Options): Options {
  return Object.assign(Object.create(null) as Options, options);
}
