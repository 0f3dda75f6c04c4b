// Compares the .proto files with which `@x/wire` is tested with those that Google publishes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { getProtoPath, loadSync } from "google-proto-files";

const OURS = new URL("../../../packages/wire/test/oracle/", import.meta.url);
const FILES = [
  {
    file: "v5.proto",
    google: ["security", "safebrowsing", "v5", "safebrowsing.proto"],
    name: "google.security.safebrowsing.v5",
    others: ["SearchUrlsRequest", "SearchUrlsResponse", "ThreatUrl"],
  },
  {
    file: "web-risk.proto",
    google: ["cloud", "webrisk", "v1", "webrisk.proto"],
    name: "google.cloud.webrisk.v1",
    others: [],
  },
];

for (const { file, google, name, others } of FILES) {
  test(`the messages in ${file} have Google's names, numbers and types`, () => {
    const theirs = contents(getProtoPath(...google), name);
    const ours = contents(fileURLToPath(new URL(file, OURS)), name);
    for (const other of others) {
      assert.equal(theirs[other], undefined, `google-proto-files has ${other} now`);
      delete ours[other];
    }
    assert.notDeepEqual(ours, {});
    for (const [message, content] of Object.entries(ours)) {
      assert.deepEqual(content, theirs[message], message);
    }
  });
}

/** The messages and enumerations of a package. Of the options, only `packed` changes what is on the wire. */
function contents(path, name) {
  const { nested } = loadSync(path).lookup(name).toJSON();
  return JSON.parse(JSON.stringify(nested), (key, value) =>
    key === "options" ? value.packed : value,
  );
}
