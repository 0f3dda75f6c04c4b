/// <reference types="vite/client" />

/** The built-in list (see `build/plugins.ts`). */
declare module "virtual:real-list" {
  const url: string;
  export default url;
}

/** The table of UTS #46, which is set when the modules that are loaded later arrive (see `vite.config.ts`). */
declare module "virtual:host-table" {
  export function setHostTable(text: string): void;
}

declare module "virtual:host-table-text" {
  export const TABLE: string;
}
