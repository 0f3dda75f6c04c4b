import { fileURLToPath } from "node:url";
import { testDocExamples, testMarkdownExamples } from "@x/test-support/doc-examples";

const importModule = (name: string): Promise<Record<string, unknown>> => import(name);

testDocExamples(fileURLToPath(new URL("..", import.meta.url)), importModule);
testMarkdownExamples(
  fileURLToPath(new URL("../../../docs/urns.md", import.meta.url)),
  importModule,
);
