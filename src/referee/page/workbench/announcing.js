// What happened, said for those who see and those who hear the page.

import { byId, el } from "../script/dom.js";

const STAYS = 6000; // milliseconds

export function announce(text) {
  byId("live").textContent = text;
}

// A message that goes by itself.
export function toast(text, kind = "") {
  const box = el("p", { class: `toast ${kind}` }, text);
  byId("toasts").replaceChildren(box);
  setTimeout(() => box.remove(), STAYS);
}

// A message that stays until one has chosen what to do.
export function notice(text, ...choices) {
  announce(text);
  const box = el(
    "div",
    { class: "toast asks", role: "alertdialog", "aria-label": "Message" },
    el("p", {}, text),
  );
  const close = () => box.remove();
  for (const [label, action] of choices)
    box.append(
      el(
        "button",
        {
          type: "button",
          onclick: () => {
            close();
            action?.();
          },
        },
        label,
      ),
    );
  byId("notices").append(box);
  return close;
}
