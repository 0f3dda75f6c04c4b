const DANGERS = {
  MALWARE: "may install malicious software",
  SOCIAL_ENGINEERING: "may trick you into giving away passwords or money",
  UNWANTED_SOFTWARE: "may install unwanted software",
  POTENTIALLY_HARMFUL_APPLICATION: "may install harmful apps",
};

const query = new URLSearchParams(location.search);
const url = query.get("url");
const frame = query.get("frame") === "true";
const steps = Number(query.get("steps"));
const element = (id) => document.getElementById(id);

function show(heading, reason, details) {
  document.title = heading;
  element("heading").textContent = heading;
  element("reason").textContent = reason;
  const texts = details.flatMap(([term, text]) => [
    Object.assign(document.createElement("dt"), { textContent: term }),
    Object.assign(document.createElement("dd"), { textContent: text }),
  ]);
  element("details").replaceChildren(...texts);
  element("details").hidden = details.length === 0;
}

async function ask() {
  const { verdict, reason, matches, error } = await chrome.runtime.sendMessage({ url, frame });
  if (verdict === "safe") {
    if (frame) history.back();
    else location.replace(url);
    return;
  }
  const page = frame ? "A part of this page" : "This page";
  const details = matches.map(({ list, expression }) => [
    list === null ? "On a list of the server" : `On the list ${list}`,
    expression,
  ]);
  if (verdict === "unsafe") {
    const types = [...new Set(matches.flatMap(({ threatTypes }) => threatTypes))];
    const dangers = types.map((type) => DANGERS[type] ?? `is listed as ${type}`);
    show("Dangerous page blocked", `${page} ${dangers.join(", and ") || "is listed"}.`, details);
  } else {
    const sentence = `${page} may be dangerous. The server could not be asked whether it is.`;
    const why = error ?? reason;
    show("Page blocked to be safe", sentence, [...details, ["Problem", why]]);
    element("again").hidden = false;
  }
}

element("url").textContent = url;
element("back").addEventListener("click", () => {
  if (history.length > steps) history.go(-steps);
  else location.replace("about:blank");
});
element("again").addEventListener("click", () => location.reload());
await ask();
