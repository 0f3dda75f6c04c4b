import { compareUrns, explainUrn } from "@x/explain";
import { expose } from "comlink";
import { parsePageSettings } from "../../page-settings.ts";
import type { HistoryAsked, ListAsked } from "../model/fetch-list.ts";
import { matchHashed } from "../model/match-hashed.ts";
import { readList } from "../model/read-list.ts";
import type { Values } from "../model/screens.ts";
import { checkJobs } from "./check-jobs.ts";

/*
 * Does the work that may take a long time. While the worker checks many URLs, it regularly handles messages, so that
 * the page can ask for something else. The worker lives as long as the page, because the script of a new worker would
 * have to be fetched.
 */

/**
 * The code that reads stores is loaded only when it is used. The request for the code tells the server no more than the
 * requests for the list.
 */
const fetching = () => import("../model/fetch-list.ts");
const fetchList = async (asked: ListAsked) => (await fetching()).fetchList(asked);
const fetchHistory = async (asked: HistoryAsked) => (await fetching()).fetchHistory(asked);

const SYNTAX = { syntax: "rfc8141" } as const;

const tasks = {
  readList,
  explainUrns: ({ u, v }: Values<"urn">) => ({
    explained: explainUrn(u, SYNTAX),
    comparison: compareUrns(u, v, SYNTAX),
  }),
  matchHashed,
  fetchList,
  fetchHistory,
  parsePageSettings,
  ...checkJobs(),
};

export type Tasks = typeof tasks;

expose(tasks);
