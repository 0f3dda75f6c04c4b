// Generates packages/wire/test/oracle with protobuf-es, from the .proto files of google-proto-files and of this folder,
// without services, options and comments. Usage: npm ci && npm run oracles

import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { clearField, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { newFolder } from "../server/support/new-folder.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const MODULES = join(HERE, "../node_modules");
const OUTPUT = join(HERE, "../../../packages/wire/test/oracle");
/** The files in this folder. */
const OWN = ["safe-browsing-v4.proto", "safe-browsing-v5-urls.proto"];
const WANTED = [
  "google/security/safebrowsing/v5/safebrowsing.proto",
  "google/cloud/webrisk/v1/webrisk.proto",
  ...OWN,
];
/** Messages of Web Risk that report pages instead of describing lists. */
const UNWANTED = /^(?:Submi|CreateSubmission|ThreatInfo$|ThreatDiscovery)/;
/**
 * The wanted files and the imports that their messages use. Only services use other imports, and services are dropped.
 */
const NEEDED = [...WANTED, "google/protobuf/duration.proto", "google/protobuf/timestamp.proto"];

const workshop = newFolder("wire-oracle");
const sources = join(workshop, "sources");
const image = join(workshop, "image.binpb");
const buf = (...args) =>
  execFileSync(join(MODULES, ".bin/buf"), args, { cwd: workshop, stdio: "inherit" });

try {
  for (const folder of [
    "api",
    "longrunning",
    "rpc",
    "security/safebrowsing/v5",
    "cloud/webrisk/v1",
  ]) {
    const path = `google/${folder}`;
    cpSync(join(MODULES, "google-proto-files", path), join(sources, path), { recursive: true });
  }
  for (const file of OWN) cpSync(join(HERE, file), join(sources, file));
  const paths = WANTED.flatMap((file) => ["--path", join(sources, file)]);
  buf("build", sources, "--exclude-source-info", "-o", image, ...paths);

  const set = fromBinary(FileDescriptorSetSchema, readFileSync(image));
  set.file = set.file.filter(({ name }) => NEEDED.includes(name));
  for (const file of set.file) stripFile(file);
  writeFileSync(image, toBinary(FileDescriptorSetSchema, set));

  rmSync(OUTPUT, { recursive: true, force: true });
  const template = {
    version: "v2",
    plugins: [
      {
        local: join(MODULES, ".bin/protoc-gen-es"),
        out: OUTPUT,
        opt: ["target=js+dts", "import_extension=js"],
      },
    ],
  };
  buf(
    "generate",
    image,
    "--template",
    JSON.stringify(template),
    ...WANTED.flatMap((file) => ["--path", file]),
  );
} finally {
  rmSync(workshop, { recursive: true, force: true });
}

function stripFile(file) {
  file.service = [];
  file.dependency = file.dependency.filter((name) => NEEDED.includes(name));
  clearField(file, FileDescriptorProtoSchema.field.options);
  if (file.name.includes("webrisk")) {
    file.messageType = file.messageType.filter(({ name }) => !UNWANTED.test(name));
  }
  const messages = [...file.messageType];
  for (const message of messages) {
    messages.push(...message.nestedType);
    message.options = undefined;
    for (const field of message.field) {
      // `packed` is the only option that changes the bytes of a message.
      if (field.options?.packed === undefined) field.options = undefined;
    }
  }
}
