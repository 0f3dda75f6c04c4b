import { fileURLToPath } from "node:url";
import { testDocExamples, testMarkdownExamples } from "@x/test-support/doc-examples";

const importModule = (name: string): Promise<Record<string, unknown>> => import(name);

testDocExamples(fileURLToPath(new URL("..", import.meta.url)), importModule);
for (const guide of ["urn-migration", "urn-namespaces", "urn-schemas", "urns-in-text"]) {
  testMarkdownExamples(
    fileURLToPath(new URL(`../../../docs/${guide}.md`, import.meta.url)),
    importModule,
  );
}
