import { describe, expect, test } from "vitest";
import { checkServedName } from "../../src/serve/lists/threat-rows.ts";
import { complaintOf } from "../support/complaint.ts";

describe("names that clients would take for another list", () => {
  test.each([
    ["se", "social-engineering"],
    ["mw", "malware"],
    ["uws-4b", "unwanted-software"],
    ["pha", "potentially-harmful-application"],
  ])("the command refuses %s", async (name, standard) => {
    const complaint = await complaintOf("publish", "--store", "/nowhere/lists", `${name}=urls.txt`);
    expect(complaint).toMatch(
      `which is the standard list ${standard}: publish it as ${standard}\n`,
    );
  });

  test("the command refuses two lists of one name", async () => {
    const lists = ["intranet=urls.txt", "intranet-4b=urls.txt"];
    expect(await complaintOf("publish", "--store", "/nowhere/lists", ...lists)).toMatch(
      "intranet would be served as intranet-4b, as the list intranet-4b is: use another name\n",
    );
  });

  test.each(["global-cache", "download-allowlist"])("%s has longer hashes", (name) => {
    expect(() => checkServedName(name, [])).toThrow(/expect hashes of another length/);
  });

  test.each(["malware", "unwanted-software-android", "intranet", "intranet-two"])(
    "%s is none",
    (name) => {
      checkServedName(name, ["malware", "intranet", "intranet-two", "api-abuse"]);
    },
  );
});

describe("lifetime", () => {
  const complaint = (lifetime: string) =>
    complaintOf(
      "publish",
      "--store",
      "/nowhere/lists",
      "malware=urls.txt",
      "--set",
      `lifetime=${lifetime}`,
    );

  test.each(["0s", "59s", "366d", "999999d"])("refuses %s", async (lifetime) => {
    expect(await complaint(lifetime)).toMatch("expected a duration from 1m to 365d");
  });

  test.each(["60s", "1m", "365d"])("takes %s", async (lifetime) => {
    expect(await complaint(lifetime)).toMatch(/The store \S+ does not exist/);
  });
});
