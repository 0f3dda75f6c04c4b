import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { settings, urlhashServer } from "../support/commands.js";
import { newFolder } from "../support/new-folder.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";

/* Tests the alerts of docs/examples/prometheus. Prometheus evaluates them minute by minute on series from the tests. */

const { path, skip } = program("promtool");
const EXAMPLE = fileURLToPath(new URL("../../../../docs/examples/prometheus", import.meta.url));
const DAY = 86_400;

const requests = (route, status) =>
  `urlhash_http_requests_total{instance="a",route="${route}",status="${status}"}`;
const fasterThan = (route, le) =>
  `urlhash_http_request_duration_seconds_bucket{instance="a",route="${route}",le="${le}"}`;
const updates = (kind) => `urlhash_updates_total{instance="a",list="malware",kind="${kind}"}`;
const full = (reason) =>
  `urlhash_full_updates_total{instance="a",list="malware",reason="${reason}"}`;
const ofList = (name) => `${name}{instance="a",list="malware"}`;
const kept = (reason) => `urlhash_publish_kept{list="malware",reason="${reason}"}`;

const UP = 'up{job="urlhash-server",instance="a"}';
const READY = ofList("urlhash_list_ready");
const ISSUED = ofList("urlhash_list_issued_timestamp_seconds");
const EXPIRES = ofList("urlhash_list_expiration_timestamp_seconds");
const CERTIFICATE = 'urlhash_certificate_expiration_timestamp_seconds{instance="a"}';
const RELOADED = 'urlhash_config_last_reload_successful{instance="a"}';
const SUCCESS = 'urlhash_publish_last_success_timestamp_seconds{list="malware"}';
const LAST_RUN = "urlhash_publish_last_run_timestamp_seconds";
const MEMORY = 'process_resident_memory_bytes{job="urlhash-server",instance="a"}';
const COPY_RUN = 'urlhash_copy_last_run_timestamp_seconds{instance="b"}';
const COPY_PROBLEMS = 'urlhash_copy_problems{instance="b"}';
const COPY_ISSUED = 'urlhash_copy_issued_timestamp_seconds{instance="b",list="malware"}';
const COPY_EXPIRES = 'urlhash_copy_expiration_timestamp_seconds{instance="b",list="malware"}';
const VERSION = ofList("urlhash_list_version");
const COPY_VERSION = 'urlhash_copy_version{instance="b",list="malware"}';
const PUBLISHED = 'urlhash_publish_version{instance="c",list="malware"}';
const SEARCH = "v5.hashes.search";

/** The values of each series, minute by minute, as `start+step x count`. */
const HEALTHY = {
  [UP]: "1x3000",
  [READY]: "1x3000",
  [ISSUED]: `-${15 * DAY}+0x3000`,
  [EXPIRES]: `${15 * DAY}+0x3000`,
  [CERTIFICATE]: `${30 * DAY}+0x3000`,
  [RELOADED]: "1x3000",
  [requests("readyz", 200)]: "0+2x3000",
  [requests(SEARCH, 200)]: "0+1000x3000",
  [requests(SEARCH, 503)]: "0+5x3000",
  [requests(SEARCH, 429)]: "0+20x3000",
  [fasterThan(SEARCH, "0.01")]: "0+1000x3000",
  [fasterThan(SEARCH, "5")]: "0+1000x3000",
  [fasterThan(SEARCH, "+Inf")]: "0+1000x3000",
  // A streamed lookup of a million lines may take minutes, so the alert for slow requests does not count it.
  [fasterThan("lookup.stream", "5")]: "0x3000",
  [fasterThan("lookup.stream", "+Inf")]: "0+10x3000",
  [updates("partial")]: "0+90x3000",
  [updates("full")]: "0+60x3000",
  [full("new-client")]: "0+50x3000",
  [full("behind-window")]: "0+10x3000",
  [MEMORY]: "300000000+10000x3000",
  [COPY_RUN]: "0+60x3000",
  [COPY_PROBLEMS]: "0x3000",
  [COPY_ISSUED]: `-${15 * DAY}+0x3000`,
  [COPY_EXPIRES]: `${15 * DAY}+0x3000`,
  // A version a minute, which the server and the mirror have a little later.
  [PUBLISHED]: "10+1x3000",
  [VERSION]: "9+1x3000",
  [COPY_VERSION]: "5+1x3000",
  [LAST_RUN]: "0+60x3000",
  [SUCCESS]: "0+60x3000",
  [kept("removals")]: "0x3000",
  [kept("source")]: "0x3000",
  [kept("failure")]: "0x3000",
  [kept("rollback")]: "0x3000",
  [kept("withdrawal")]: "0x3000",
  [kept("other-list")]: "0x3000",
};

/**
 * Faults, the alerts that fire, without `Urlhash`, and two times: they must not fire at the first one, but must at the
 * second.
 */
const CASES = {
  "nothing is wrong": [{}, "", "1m", "2d"],
  "the server is gone": [{ [UP]: "0x3000" }, "ServerDown", "4m", "6m"],
  "a list is not ready": [{ [READY]: "0x3000" }, "ListNotReady", "4m", "6m"],
  "a private list is not ready": [
    { [requests("readyz", 503)]: "0+2x3000" },
    "NotReady",
    "4m",
    "10m",
  ],
  // 400 kB more each minute.
  "memory grows": [{ [MEMORY]: "300000000+400000x3000" }, "MemoryGrows", "1439m", "1562m"],
  "a mirror stops": [{ [COPY_RUN]: "0x3000" }, "MirrorStopped", "69m", "72m"],
  "a mirror cannot copy": [{ [COPY_PROBLEMS]: "1x3000" }, "CopyFailed", "59m", "61m"],
  "a mirror is stuck at an old version": [
    { [COPY_ISSUED]: `-${23 * DAY}+0x3000`, [COPY_EXPIRES]: `${7 * DAY}+0x3000` },
    "CopyNotRenewed",
    "59m",
    "62m",
  ],
  "a mirror copies an old store": [{ [COPY_VERSION]: "20+0x3000" }, "OldVersion", "140m", "142m"],
  "a server reads an old store": [{ [VERSION]: "20+0x3000" }, "OldVersion", "140m", "142m"],
  "a list is not signed again": [
    { [ISSUED]: `-${23 * DAY}+0x3000`, [EXPIRES]: `${7 * DAY}+0x3000` },
    "ListNotRenewed",
    "59m",
    "62m",
  ],
  "a short-lived list expires soon": [
    { [ISSUED]: "-3400+60x3000", [EXPIRES]: "200+60x3000" },
    "ListExpiresSoon ListNotRenewed",
    "9m",
    "62m",
  ],
  "clients are too old for differences": [
    { [updates("full")]: "0+130x3000", [full("behind-window")]: "0+80x3000" },
    "FullUpdates",
    "59m",
    "130m",
  ],
  "few clients are too old for differences": [
    { [updates("partial")]: "0x3000", [full("behind-window")]: "0+1x3000" },
    "",
    "59m",
    "130m",
  ],
  errors: [{ [requests(SEARCH, 500)]: "0+20x3000" }, "Errors", "9m", "20m"],
  "a client sends too many requests": [
    { [requests(SEARCH, 429)]: "0+200x3000" },
    "TooManyRequests",
    "9m",
    "20m",
  ],
  "requests wait for each other": [
    { [fasterThan(SEARCH, "0.01")]: "0+900x3000" },
    "Slow",
    "9m",
    "20m",
  ],
  "a certificate is not renewed": [
    { [CERTIFICATE]: `${7 * DAY}+0x3000` },
    "CertificateExpiresSoon",
    "59m",
    "62m",
  ],
  "settings are wrong": [{ [RELOADED]: "0x3000" }, "ReloadFailed", "4m", "6m"],
  "the publisher has stopped, and its last file is still there": [
    { [LAST_RUN]: "0x3000" },
    "PublisherStopped",
    "129m",
    "132m",
  ],
  "a list has not been published for a day": [
    { [SUCCESS]: "0x3000" },
    "ListNotPublished",
    "1499m",
    "1503m",
  ],
  "the publisher never wrote a file": [{ [LAST_RUN]: undefined }, "PublisherStopped", "9m", "11m"],
  "a source is cut": [{ [kept("removals")]: "1x3000" }, "PublishHeldBack", "4m", "6m"],
  "a source is refused": [{ [kept("source")]: "1x3000" }, "SourceUnusable", "59m", "61m"],
  "a source cannot be fetched": [
    { 'urlhash_publish_source_failed{list="malware",source="https://feed.example/"}': "1x3000" },
    "SourceUnusable",
    "59m",
    "61m",
  ],
  "the disk is full": [{ [kept("failure")]: "1x3000" }, "PublishFailed", "9m", "11m"],
  "a list is rolled back": [{ [kept("rollback")]: "1x3000" }, "RolledBack", "59m", "61m"],
  "a list is withdrawn, and its sources are not empty": [
    { [kept("withdrawal")]: "1x3000" },
    "RolledBack",
    "59m",
    "61m",
  ],
};

const alertsIn = (names) => names.split(" ").flatMap((name) => (name ? `Urlhash${name}` : []));

/** A test for `promtool test rules` that no alert fires at the time `quiet`, and only the given ones at `firing`. */
function testOf([name, [changes, alerts, quiet, firing]]) {
  const series = Object.entries({ ...HEALTHY, ...changes }).filter(([, values]) => values);
  const fired = (eval_time, names) => ({
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time,
    exp_samples: names.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
  });
  return {
    name,
    interval: "1m",
    input_series: series.map(([series, values]) => ({ series, values })),
    promql_expr_test: [fired(quiet, []), fired(firing, alertsIn(alerts))],
  };
}

describe("Prometheus with the rules of docs/examples/prometheus", { skip }, () => {
  let folder;
  before(() => {
    folder = newFolder("prometheus");
  });

  const promtool = (args, options) => spawnSync(path, args, { encoding: "utf8", ...options });

  test("the configuration and the rules are valid", () => {
    const { status, stderr } = promtool(["check", "config", join(EXAMPLE, "prometheus.yml")]);
    assert.equal(status, 0, stderr);
  });

  test("each alert fires some time after something goes wrong, and no other one does", () => {
    const rules = readFileSync(join(EXAMPLE, "urlhash-rules.yml"), "utf8");
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const tested = new Set(Object.values(CASES).flatMap(([, names]) => alertsIn(names)));
    assert.deepEqual([...tested].sort(), alerts.sort());

    const file = join(folder, "test.json");
    const rule_files = [join(EXAMPLE, "urlhash-rules.yml")];
    writeFileSync(
      file,
      JSON.stringify({
        rule_files,
        evaluation_interval: "1m",
        tests: Object.entries(CASES).map(testOf),
      }),
    );
    const { status, stdout, stderr } = promtool(["test", "rules", file]);
    assert.equal(status, 0, stdout + stderr);
  });

  test("Prometheus reads the metrics of the server and of the publisher", async () => {
    const server = await urlListServer();
    try {
      await server.publish({ malware: ["http://evil.test/"] });
      await server.start();
      await fetch(`${server.origin}/v5/hashLists:batchGet?names=mw-4b`);
      const input = await (await fetch(`${server.origin}/metrics`)).text();
      assert.match(input, /urlhash_full_updates_total\{/);
      assert.deepEqual(resultOf(promtool(["check", "metrics"], { input })), OK);

      const written = join(folder, "urlhash.prom");
      const store = join(server.folder, "lists");
      const source = `malware=${join(server.folder, "malware.txt")}`;
      await urlhashServer("publish", "--store", store, ...settings({ metrics: written }), source);
      const file = readFileSync(written);
      assert.deepEqual(resultOf(promtool(["check", "metrics"], { input: file })), OK);
    } finally {
      await server.remove();
    }
  });
});

const OK = { status: 0, stderr: "" };
const resultOf = ({ status, stderr }) => ({ status, stderr });
