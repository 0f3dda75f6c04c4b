import { fileURLToPath } from "node:url";
import { testMarkdownExamples } from "@x/test-support/doc-examples";

testMarkdownExamples(
  fileURLToPath(new URL("../README.md", import.meta.url)),
  (name) => import(name),
);
