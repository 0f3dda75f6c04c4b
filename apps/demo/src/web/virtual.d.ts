/** Made by the build: see `build/real-list.ts`. */
declare module "virtual:real-list" {
  const url: string;
  export default url;
}

/** What the build replaces. */
interface ImportMeta {
  readonly env: { readonly PROD: boolean };
}
