import { changeFile } from "@x/command-line/node";
import type { Manifest } from "@x/list-store";

/** Writes a file for the textfile collector of Prometheus's node exporter. Readers never see an incomplete file. */
export async function writeCopyMetrics(
  file: string,
  problems: number,
  copied: ReadonlyMap<string, Manifest>,
  now: () => number = Date.now,
): Promise<void> {
  // Loaded only when it is needed, so that other commands start fast.
  const { Registry } = await import("prom-client");
  const { gaugeOf, listGaugeOf } = await import("../../serve/pages/prometheus.ts");
  const register = new Registry();
  const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);
  const gauge = (name: string, help: string, number: number) =>
    gaugeOf({ register, name, help }, () => [[{}, number]]);
  const ofEach = (name: string, help: string, numberOf: (manifest: Manifest) => number) =>
    listGaugeOf({ register, name, help }, () => copied, numberOf);
  gauge("urlhash_copy_problems", "Problems when the lists were last copied", problems);
  gauge(
    "urlhash_copy_last_run_timestamp_seconds",
    "When the lists were last copied",
    inSeconds(now()),
  );
  ofEach("urlhash_copy_version", "Version of the list in the copy", ({ version }) => version);
  ofEach("urlhash_copy_issued_timestamp_seconds", "When that version was signed", ({ issued }) =>
    inSeconds(issued),
  );
  ofEach("urlhash_copy_expiration_timestamp_seconds", "When that version expires", ({ expires }) =>
    inSeconds(expires),
  );
  const text = await register.metrics();
  await changeFile(file, async () => text);
}
