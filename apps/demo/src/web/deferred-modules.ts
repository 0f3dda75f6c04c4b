// The modules that the first screen does not need. The page loads them right after its first answer, before the user
// needs them: a later request would tell the server when the user went to another screen.
import { setHostTable } from "virtual:host-table";
import { TABLE } from "virtual:host-table-text";

export { unwrapLink } from "@x/links/unwrap";
export { foreignLine, refang } from "@x/list-source";
export { FileBox } from "./components/files.tsx";
export { SITES } from "./model/sites.ts";
export { PageFooter } from "./page-footer.tsx";
export { FoundLinks, foundTitle } from "./screens/check/found-links.tsx";
export { GetOffLists } from "./screens/check/get-off.tsx";
export { Advice, NextSteps } from "./screens/check/next-steps.tsx";
export { UrlDetails } from "./screens/check/url-details.tsx";
export { wholeAnswer } from "./screens/check/whole-answer.ts";
export { HashedScreen } from "./screens/hashed-screen.tsx";
export { ListNotice, ListPanel, NewerList } from "./screens/list-panel.tsx";
export { UrnScreen } from "./screens/urn-screen.tsx";

setHostTable(TABLE);
