/**
 * Copies only the own properties of an options object. Properties that other code added to `Object.prototype`
 * are not options.
 */
export function ownOptions<Options extends object>(options: Options): Options {
  return Object.assign(Object.create(null) as Options, options);
}
