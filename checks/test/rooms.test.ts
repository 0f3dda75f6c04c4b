import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { importsOf } from "./imports.ts";
import { ROOT } from "./repository.ts";

/** Compares the imports of each app with the lists of its rooms in ARCHITECTURE.md. */

/** The rooms of an app, from the top: each line of the list is one array. */
function listedRooms(app: string): string[][] {
  const architecture = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8").replaceAll("\r\n", "\n");
  const list = new RegExp(`^apps/${app}/src\\n((?: {2}.*\\n)+)`, "m").exec(architecture)?.[1];
  expect(list, `the rooms of ${app}`).toBeDefined();
  return list!
    .trim()
    .split("\n")
    .map((line) => line.trim().split(", "));
}

function sourcesOf(app: string): string[] {
  return readdirSync(join(ROOT, "apps", app, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file));
}

describe.each(readdirSync(join(ROOT, "apps")))("apps/%s", (app) => {
  const lines = listedRooms(app);
  const rooms = lines.flat();
  const files = sourcesOf(app);
  const roomsOf = (file: string) =>
    rooms.filter((room) => file === room || file.startsWith(`${room}/`));
  const lineOf = (room: string) => lines.findIndex((line) => line.includes(room));

  test("each file is in one room of the list", () => {
    const homeless = files.filter((file) => roomsOf(file).length !== 1);
    expect(homeless).toEqual([]);
  });

  test("each room of the list exists, once", () => {
    expect(rooms.filter((room) => !files.some((file) => roomsOf(file).includes(room)))).toEqual([]);
    expect(rooms).toEqual([...new Set(rooms)]);
  });

  test("a room imports only rooms in lines below its own", () => {
    const all = files.flatMap((file) =>
      importsOf(readFileSync(join(ROOT, "apps", app, "src", file), "utf8"))
        .filter((specifier) => /^\..*\.tsx?(?:\?|$)/.test(specifier))
        .map((specifier) => [
          file,
          posix.join(posix.dirname(file), specifier.replace(/\?.*$/, "")),
        ]),
    );
    const between = all.filter(([from, to]) => roomsOf(from!)[0] !== roomsOf(to!)[0]);
    expect(between.length, "imports between rooms").toBeGreaterThan(5);
    const upward = between.filter(
      ([from, to]) => lineOf(roomsOf(to!)[0]!) <= lineOf(roomsOf(from!)[0]!),
    );
    const found = upward.map(([from, to]) => `${from} → ${to}`);
    expect(found).toEqual([]);
  });
});
