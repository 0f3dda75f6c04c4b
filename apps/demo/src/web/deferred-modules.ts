// The modules that the first screen does not need. The page loads them right after its first answer, before the user
// needs them: a later request would tell the server when the user went to another screen.
export { unwrapLink } from "@x/links/unwrap";
export { foreignLine, refang } from "@x/list-source";
export { DropHint } from "./components/drop-hint.tsx";
export { FileBox } from "./components/file-box.tsx";
export { ListNotice } from "./components/list-notice.tsx";
export { SITES } from "./model/sites.ts";
export { PageFooter } from "./page-footer.tsx";
export { HashedScreen } from "./screens/hashed/hashed-screen.tsx";
export { ListPanel } from "./screens/list-panel.tsx";
export { ManyScreen } from "./screens/many/many-screen.tsx";
export { FoundLinks, foundTitle } from "./screens/url/found-links.tsx";
export { GoodToKnow } from "./screens/url/good-to-know.tsx";
export { NextSteps } from "./screens/url/next-steps.tsx";
export { BackToLinks, OnlyLink } from "./screens/url/only-link.tsx";
export { pastedText } from "./screens/url/pasted-text.ts";
export { UrlDetails } from "./screens/url/url-details.tsx";
export { UrlExamples } from "./screens/url/url-examples.tsx";
export { wholeAnswer } from "./screens/url/whole-answer.ts";
export { UrnScreen } from "./screens/urn/urn-screen.tsx";
