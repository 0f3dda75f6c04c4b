import { join } from "node:path";
import { testMarkdownExamples } from "@x/test-support/doc-examples";
import { ROOT } from "./repository.ts";

testMarkdownExamples(join(ROOT, "README.md"), (name) => import(name));
