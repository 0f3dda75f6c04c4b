/// <reference types="vite/client" />

/** The build makes this module (see `build/phishing-list.ts`). */
declare module "virtual:real-list" {
  const url: string;
  export default url;
}
