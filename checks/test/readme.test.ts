import { join } from "node:path";
import { testMarkdownExamples } from "@x/test-support/doc-examples";
import { ROOT } from "./repository.ts";

for (const document of ["README.md", "docs/links.md"]) {
  testMarkdownExamples(join(ROOT, document), (name) => import(name));
}
