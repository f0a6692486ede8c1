// Export: every format that Referee writes, and what each cannot hold, before and after it is written.

import { byId, el } from "../script/dom.js";
import { announce } from "./announcing.js";
import { bench } from "./bench.js";
import { ask, Refused, saving } from "./server.js";

let chosen = false; // whether there is a format that is offered first

export function startExport() {
  byId("export-go").addEventListener("click", () => download(false));
  byId("export-lossy").addEventListener("click", () => download(true));
  for (const id of ["export-format", "export-scope"]) byId(id).addEventListener("change", forget);
}

export function openExport() {
  const { formats } = bench.state;
  if (!byId("export-format").options.length)
    byId("export-format").replaceChildren(
      ...formats.map(({ name, label, ending }) =>
        el(
          "option",
          { value: name },
          label && label !== name ? `${label} (${ending ?? name})` : `${name}${ending ? ` (${ending})` : ""}`,
        ),
      ),
    );
  const { title } = bench.state; // what was opened is saved in its own format, unless another one is chosen
  const own = formats.findLast(({ ending }) => ending && ending !== ".txt" && title.endsWith(ending));
  if (!chosen) byId("export-format").value = (own ?? formats.at(-1)).name;
  chosen = true;
  byId("export-one").textContent = `this document (${bench.doc.id})`;
  forget();
  byId("export").showModal();
}

function forget() {
  byId("export-lossy").hidden = true;
  byId("export-notices").replaceChildren();
}

function address(lossy) {
  const place = byId("export-scope").value === "all" ? "export" : `documents/${bench.doc.index}/export`;
  return `${place}?${new URLSearchParams({ format: byId("export-format").value, ...(lossy ? { lossy: "1" } : {}) })}`;
}

async function download(lossy) {
  forget();
  if (saving.waiting.length) tellNotices(["Some steps are not saved yet, so they are not in this file."]);
  try {
    const response = await ask(address(lossy));
    const notices = JSON.parse(decodeURIComponent(response.headers.get("X-Referee-Notices") ?? "%5B%5D"));
    const name = nameIn(response.headers.get("Content-Disposition") ?? "");
    save(await response.blob(), name);
    tellNotices([`${name} was written.`, ...notices]);
  } catch (error) {
    tellNotices([error instanceof Refused ? error.message : "The server does not answer."]);
    byId("export-lossy").hidden = !error.answer?.lossy;
  }
}

function nameIn(header) {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header);
  if (encoded) return decodeURIComponent(encoded[1]);
  return /filename="?([^";]+)"?/i.exec(header)?.[1] ?? "corpus.txt";
}

function save(blob, name) {
  const file = URL.createObjectURL(blob);
  el("a", { href: file, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(file), 60_000); // the browser reads it a little later
}

function tellNotices(texts) {
  byId("export-notices").append(...texts.map((text) => el("li", {}, text)));
  announce(texts.join(" "));
}
