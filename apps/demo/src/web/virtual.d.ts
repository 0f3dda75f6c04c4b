/// <reference types="vite/client" />

/** The built-in list, and where its maintainers take reports of mistakes (see `build/plugins.ts`). */
declare module "virtual:real-list" {
  const url: string;
  export default url;
  export const contact: string;
}

/** The table of UTS #46, which is set when the modules that are loaded later arrive (see `vite.config.ts`). */
declare module "virtual:host-table" {
  export function setHostTable(text: string): void;
}

declare module "virtual:host-table-text" {
  export const TABLE: string;
}
