// Asks for a word or a name, with those that are in use to choose from.

import { byId, el } from "../script/dom.js";

let answer = null;

export function startAsking() {
  byId("ask-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const { value } = byId("ask-value");
    const action = answer;
    byId("ask").close();
    action?.(value.trim());
  });
  byId("ask").addEventListener("close", () => {
    answer = null;
  });
  byId("ask-cancel").addEventListener("click", () => byId("ask").close());
}

export function askFor(title, value, known, action) {
  answer = action;
  byId("ask-title").textContent = title;
  byId("ask-known").replaceChildren(...known.map((each) => el("option", { value: each })));
  byId("ask-value").value = value;
  byId("ask").showModal();
  byId("ask-value").select();
}
