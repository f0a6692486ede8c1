// What goes to the server and comes from it. An edit is done when the server has it on its disk, not before.

import { bench, tell } from "./bench.js";

const API = new URL("../../api/", import.meta.url); // beside the folder of the page's files
const WAITS = [400, 800, 1600, 3000, 5000]; // milliseconds before an edit is sent again
const HEARTBEAT = 8000;
const KEPT = "referee-token";
const client = randomName();
const token = takeToken();

export const saving = { state: "saved", error: "", waiting: [], failures: 0 };

// crypto.randomUUID is only where a browser calls the place secure: not on another machine without TLS.
function randomName() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join("-");
}

// A server that asks for a token gives it to the browser in the fragment of the address, which is never sent. It is
// kept for this tab, and taken out of what one sees and copies.
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  try {
    if (!given) return sessionStorage.getItem(KEPT);
    sessionStorage.setItem(KEPT, given);
  } catch {
    // a browser that keeps nothing: the token holds until the page is loaded again
  }
  history.replaceState(null, "", location.pathname);
  return given;
}

export class Refused extends Error {
  constructor(status, answer) {
    super(answer.error ?? answer.detail ?? `the server answers ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

export async function ask(path, options = {}) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const given = { cache: "no-store", ...options, headers: { ...headers, ...options.headers } };
  const response = await fetch(new URL(path, API), given);
  if (response.ok) return response;
  let answer = {};
  try {
    answer = await response.json();
  } catch {
    // a refusal without words
  }
  throw new Refused(response.status, answer);
}

export async function get(path) {
  return (await ask(path)).json();
}

export function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-Referee": "1" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) }).then((answer) => answer.json());
}

function report(state, error = "") {
  saving.state = state;
  saving.error = error;
  tell("saving");
}

// Sends a step when those before it are done. `kind` is edits, undo, redo or done; `said` tells a person what it is.
export function send(kind, body, said) {
  return new Promise((done, failed) => {
    const step = { index: bench.doc.index, kind, body, said, id: randomName(), done, failed };
    saving.waiting.push(step);
    report(saving.state === "waiting" ? "waiting" : "saving", saving.error);
    if (saving.waiting.length === 1) sendNext();
  });
}

// What waits, when another tab was first: it is not sent, but kept to be done again by hand.
export function takeWaiting(index) {
  const taken = saving.waiting.filter((step) => step.index === index);
  saving.waiting = saving.waiting.filter((step) => step.index !== index);
  return taken;
}

export function resume() {
  if (saving.waiting.length) sendNext();
  else report("saved");
}

async function sendNext() {
  const [step] = saving.waiting;
  if (!step) return report("saved");
  try {
    const revision = bench.revisions.get(step.index);
    const body = { revision, client, step: step.id, ...step.body };
    const delta = await post(`documents/${step.index}/${step.kind}`, body);
    saving.waiting.shift();
    saving.failures = 0;
    bench.revisions.set(step.index, delta.revision);
    report(saving.waiting.length ? "saving" : "saved");
    step.done(delta);
    if (saving.waiting.length) sendNext();
  } catch (error) {
    refused(step, error);
  }
}

function whyNot(error) {
  if (!(error instanceof Refused)) return "the server does not answer";
  return error.status === 401
    ? "the server was started anew: open the address that it printed"
    : error.message;
}

function refused(step, error) {
  if (error instanceof Refused && error.status === 409) tell("conflict", { index: step.index, error });
  else if (error instanceof Refused && error.status < 500 && ![401, 408, 429].includes(error.status)) {
    saving.waiting.shift();
    step.failed(error);
    resume();
  } else {
    const wait = WAITS[Math.min(saving.failures++, WAITS.length - 1)];
    report("waiting", whyNot(error));
    setTimeout(sendNext, wait);
  }
}

// Whether the server is there is asked while nothing else is sent, so that a killed one is seen before an edit is lost.
export function startHeartbeat(seen) {
  const beat = async () => {
    if (document.hidden || (saving.waiting.length && saving.state !== "away")) return;
    try {
      seen(await get("state"));
      if (saving.state === "away") report("saved");
    } catch {
      if (!saving.waiting.length) report("away", "the server does not answer");
    }
  };
  setInterval(beat, HEARTBEAT);
  addEventListener("focus", beat); // another tab may have been edited meanwhile
  addEventListener("beforeunload", (event) => {
    if (saving.waiting.length) event.preventDefault();
  });
}
