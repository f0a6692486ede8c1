// The playground of the service: a text that one writes is resolved, and shown like a document of the workbench.

import { byId, el, plural } from "../script/dom.js";
import { announce } from "./announcing.js";
import { bench } from "./bench.js";
import { showDocument } from "./editing.js";
import { Refused, post } from "./server.js";

const RESOLVE = "../../resolve"; // beside the playground

export function startPlayground() {
  byId("bench").classList.add("playground");
  byId("try-resolver").replaceChildren(...bench.state.resolvers.map((name) => el("option", {}, name)));
  byId("try-form").addEventListener("submit", (event) => {
    event.preventDefault();
    resolve(byId("try-text").value);
  });
  byId("another").hidden = false;
  byId("another").addEventListener("click", () => byId("try").showModal());
  byId("try").showModal();
}

async function resolve(text) {
  const say = (said) => {
    byId("try-said").textContent = said;
  };
  if (!text.trim()) return say("Write or paste a text first.");
  say("It is resolved …");
  byId("try-go").disabled = true;
  try {
    const { results, failures } = await post(RESOLVE, { texts: text, resolver: byId("try-resolver").value });
    if (!results.length) return say(failures[0]?.reason ?? "Nothing came of it.");
    showDocument(documentOf(results[0], text), 0);
    byId("try").close();
    say("");
    announce(`${plural(bench.doc.entities.size, "entity", "entities")} found`);
  } catch (error) {
    say(error instanceof Refused ? error.message : "The server does not answer.");
  } finally {
    byId("try-go").disabled = false;
  }
  return undefined;
}

// What the service answers, in the form of a document of the workbench.
function documentOf({ tokens, clusters_token_offsets: clusters, names, link_scores: scores }, text) {
  const mentions = clusters.flatMap((cluster, number) =>
    cluster.map((span, place) => ({
      id: `m${number}.${place}`,
      entity: `e${number}`,
      spans: [span],
      confidence: scores?.[number]?.[place] ?? null,
    })),
  );
  const entities = clusters.map((cluster, number) => ({
    id: `e${number}`,
    color: number + 1,
    label: names?.[number] ?? "",
    size: cluster.length,
  }));
  const rest = { id: "your text", sentences: [], direction: null, revision: 0 };
  return { ...rest, words: tokens, space_after: blanks(tokens, text), mentions, entities };
}

// After which words there is a blank; null if the words are not those of the text.
function blanks(words, text) {
  const after = [];
  let at = 0;
  for (const word of words) {
    const start = text.indexOf(word, at);
    if (start < 0) return null;
    if (after.length) after[after.length - 1] = start > at ? 1 : 0;
    after.push(1);
    at = start + word.length;
  }
  return after;
}

// Links by their confidence, the lowest first.
export function doubtfulOf(doc) {
  const found = [...doc.members.values()].flatMap((members) =>
    members.slice(1).map((mention, before) => ({
      mention: mention.id,
      antecedent: members[before].id,
      confidence: mention.confidence,
    })),
  );
  return found
    .filter(({ confidence }) => typeof confidence === "number")
    .sort((one, other) => one.confidence - other.confidence);
}
