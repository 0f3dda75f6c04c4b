/** Made by the build: see `build/phishing-list.ts`. */
declare module "virtual:real-list" {
  const url: string;
  export default url;
}

/** The URL of a worker, which the build makes a script of its own. */
declare module "*?worker&url" {
  const url: string;
  export default url;
}

/** Variables that the build replaces. */
interface ImportMeta {
  readonly env: { readonly PROD: boolean };
}
