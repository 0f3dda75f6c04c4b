/** Replaces the kernel in programs that are bundled with the condition `@x/javascript`. */
export const KERNEL_BASE64: string = "";
