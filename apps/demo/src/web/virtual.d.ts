/// <reference types="vite/client" />

/** Made by the build: see `build/phishing-list.ts`. */
declare module "virtual:real-list" {
  const url: string;
  export default url;
}
