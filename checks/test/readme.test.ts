import { join } from "node:path";
import { testMarkdownExamples } from "../../test-support/doc-examples.ts";
import { ROOT } from "./repository.ts";

testMarkdownExamples(join(ROOT, "README.md"), (name) => import(name));
