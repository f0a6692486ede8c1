// Addresses: #view=NAME, or #doc=NAME&error=NUMBER&at=FIRST-LAST, each with filters.

import { documentOf } from "./data.js";
import { filterParameters } from "./filters.js";

export function address(target = {}) {
  return `#${filterParameters(new URLSearchParams(target))}`;
}

export function go(target) {
  const next = address(target);
  if (next === location.hash) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = next;
}

export function chooseError(error) {
  go(errorTarget(error));
}

export function errorTarget(error) {
  return { doc: documentOf(error).id, error: error.index };
}
