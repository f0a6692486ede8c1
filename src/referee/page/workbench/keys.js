// The keys of the commands: which command a key is, how it is written, and the help.

import { byId, el } from "../script/dom.js";
import { COMMANDS } from "./commands.js";

const byKey = new Map(COMMANDS.flatMap((command) => command.keys.map((key) => [key, command])));
const SIGNS = { ArrowRight: "→", ArrowLeft: "←", Control: "Ctrl", Escape: "Esc", Delete: "Del", Enter: "⏎" };

export function shown(key) {
  return key
    .split(/(?<=.)\+/)
    .map((part) => SIGNS[part] ?? part)
    .join(" ");
}

export function keyOf(command) {
  return command.keys.length > 2 && command.id === "tabs" ? "1 … 6" : shown(command.keys[0]);
}

export function commandOf(event) {
  const { key, shiftKey } = event;
  const writes = event.getModifierState("AltGraph"); // as AltGr writes [ on many keyboards
  if (event.altKey && !writes) return null;
  const control = (event.ctrlKey || event.metaKey) && !writes;
  const named = key.length > 1 && shiftKey ? `Shift+${key}` : key;
  return byKey.get(control ? `Control+${key}` : named) ?? null;
}

export function drawHelp() {
  const groups = [...new Set(COMMANDS.map(({ group }) => group))];
  byId("help-keys").replaceChildren(
    ...groups.map((group) =>
      el(
        "section",
        {},
        el("h3", {}, group),
        el(
          "dl",
          { class: "keys" },
          ...COMMANDS.filter((command) => command.group === group).flatMap((command) => [
            el("dt", {}, el("kbd", {}, keyOf(command))),
            el("dd", {}, command.label),
          ]),
        ),
      ),
    ),
  );
}
