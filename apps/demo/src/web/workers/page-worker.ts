import { expose } from "comlink";
import { explainUrns } from "../model/explain-urns.ts";
import type { LinksAsked, LinksFound } from "../model/find-links-in.ts";
import { findUrnsIn } from "../model/find-urns-in.ts";
import { matchHashed } from "../model/match-hashed.ts";
import { readList } from "../model/read-list.ts";
import { bulkJobs } from "./bulk-jobs.ts";

/*
 * Does the work that may take a long time. While it checks many URLs, it regularly handles messages, so that the page
 * can ask it something else. It lives as long as the page, because the script of a new worker would have to be fetched.
 */

/** What finds links is large, so it is loaded beside the rest, and at once: a later request would tell the server about the user. */
const links = import("../model/find-links-in.ts");

async function findLinks(asked: LinksAsked): Promise<LinksFound> {
  const { findLinksIn } = await links;
  return findLinksIn(asked);
}

const tasks = { readList, matchHashed, findUrnsIn, explainUrns, findLinks, ...bulkJobs() };

export type Tasks = typeof tasks;

expose(tasks);
