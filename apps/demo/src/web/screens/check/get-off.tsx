import { changeText, type UrlExplanation } from "@x/explain";
import { contactHref } from "@x/explain/about";
import { printable, printableInShort } from "@x/explain/printable";
import type { EntryHistory } from "@x/list-store";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { CONTACT, PUBLISHER, YEAR } from "../../../phishing-list/about.ts";
import { Button } from "../../components/buttons.tsx";
import { Unbroken } from "../../components/data.tsx";
import { usePending } from "../../hooks/use-pending.ts";
import type { PublishedList } from "../../model/fetch-list.ts";
import type { PageList } from "../../model/page-list.ts";
import { ask } from "../../worker-client.ts";

/** Says since when an expression is on a list, or that it is not on it. */
function sinceText(expression: string, { listed, changes }: EntryHistory): string {
  const last = changes.at(-1);
  if (!listed) return `${expression} is not on the newest version of the list.`;
  if (last === undefined) return `It is not known since when ${expression} has been on the list.`;
  const day = new Date(last.issued).toISOString().slice(0, 10);
  const since = `${last.certain ? "" : "probably "}since ${day}${last.orEarlier ? " or earlier" : ""}`;
  return `${expression} has been on the list ${since} (version ${last.version}).`;
}

interface GetOffProps {
  readonly published: PublishedList;
  readonly expressions: readonly string[];
}

/** Reads the history of a listed URL when the user asks for it. */
function Since({ published, expressions }: GetOffProps): VNode {
  const [found, setFound] = useState<readonly string[] | null>(null);
  const [isReading, setReading] = useState(false);
  usePending(isReading);
  const read = async (): Promise<void> => {
    setReading(true);
    try {
      const entries = await ask("fetchHistory", { ...published, expressions });
      setFound(entries.map((entry, i) => sinceText(expressions[i]!, entry)));
    } catch (error) {
      setFound([`The history could not be read: ${(error as Error).message}`]);
    }
    setReading(false);
  };
  return (
    <>
      <p class="row">
        <Button class="link" isAvailable={!isReading} onClick={() => void read()}>
          Since when?
        </Button>
        <span class="muted">
          asks for changes of the list. From them, its server may guess four bytes of the hash.
        </span>
      </p>
      <div class="live" role="status">
        {found?.map((text) => (
          <p key={text}>{printable(text)}</p>
        ))}
      </div>
    </>
  );
}

/** What the publisher of a list says to the owner of a listed site: the reason and the contact. */
function GetOff({ published, expressions }: GetOffProps): VNode {
  const { about, store } = published;
  const { reason = null, contact = "" } = about;
  const href = contactHref(contact);
  const why =
    reason === null ? "does not say why" : `lists sites for this reason: ${printable(reason)}`;
  return (
    <>
      <p>
        {`${store.list} ${why}. `}
        {contact === "" ? "Its publisher names no contact." : "Is it a mistake? Write to "}
        {href === null ? (
          printable(contact)
        ) : (
          <a href={href} rel="noreferrer">
            {contact}
          </a>
        )}
      </p>
      <Since published={published} expressions={expressions} />
    </>
  );
}

interface GetOffListsProps {
  readonly explained: UrlExplanation;
  readonly lists: readonly PageList[];
}

/** How the owner of a listed site gets it off the lists. */
export function GetOffLists({ explained, lists }: GetOffListsProps): VNode {
  const listed = lists.flatMap(({ list, from, published }) => {
    const own = explained.matches.filter(({ checksum }) => checksum === list.checksum);
    const expressions = [...new Set(own.map(({ expression }) => expression))];
    return expressions.length === 0 ? [] : [{ list, from, published, expressions }];
  });
  return (
    <div class="stack get-off">
      {listed.some(({ from }) => from !== "page") && (
        <p>
          <Unbroken text={printableInShort(changeText(explained)!)} />
        </p>
      )}
      {listed.map(({ list, from, published, expressions }) =>
        from === "page" ? (
          <p key={list.checksum} class="row">
            <span>
              {`The built-in list is ${PUBLISHER}’s of ${YEAR}. Only ${PUBLISHER} can take ${printable(expressions[0]!).slice(0, 80)} off the newest one:`}
            </span>
            <a href={CONTACT} rel="noreferrer">
              ask on GitHub
            </a>
          </p>
        ) : published === undefined ? (
          <p key={list.checksum}>{printable(list.name).slice(0, 80)} names no contact.</p>
        ) : (
          <GetOff key={list.checksum} published={published} expressions={expressions} />
        ),
      )}
    </div>
  );
}
