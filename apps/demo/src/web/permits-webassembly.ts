/** Whether the policy in the page permits WebAssembly. If not, an attempt to use it would be reported as a violation. */
export function permitsWebAssembly(): boolean {
  const policies = document.querySelectorAll<HTMLMetaElement>("meta[http-equiv]");
  return [...policies].every(({ content }) => content.includes("'wasm-unsafe-eval'"));
}
