export { type FunctionsOptions, registerFunctions } from "./register-functions.ts";
