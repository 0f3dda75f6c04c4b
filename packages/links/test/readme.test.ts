import { fileURLToPath } from "node:url";
import { testDocExamples } from "@x/test-support/doc-examples";

testDocExamples(fileURLToPath(new URL("..", import.meta.url)), (name) => import(name));
