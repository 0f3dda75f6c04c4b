import { fileURLToPath } from "node:url";
import { testDocExamples } from "../../../test-support/doc-examples.ts";

testDocExamples(fileURLToPath(new URL("..", import.meta.url)), (name) => import(name));
