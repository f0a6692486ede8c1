// What is open and chosen now, and who wants to know when it changes.

export const bench = {
  state: null, // what the server says of all documents
  doc: null, // the open document (model.js)
  mention: null, // ids of what is chosen
  entity: null,
  words: null, // words that are picked, as [first, end)
  caret: null, // where picking by keys begins, and where it goes
  linking: null, // what a click on an entity will do, while one is asked for
  tab: "entities",
  ticked: new Set(), // mentions that are ticked in the list of an entity's
  error: null, // of the errors that are shown, the chosen one
  running: false, // running text, or a line for each sentence
  revisions: new Map(), // of each document that was opened
  changed: new Set(), // entities that were changed since the page was opened
};

const listeners = new Map();

export function when(topics, action) {
  for (const topic of topics.split(" ")) listeners.set(topic, [...(listeners.get(topic) ?? []), action]);
}

// Topics: state, document, patched, chosen, picked, saving, conflict, steps, errors, linking
export function tell(topic, detail) {
  for (const action of listeners.get(topic) ?? []) action(detail);
}
