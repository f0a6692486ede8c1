// Elements. Text only ever enters the page as text: nothing here, or elsewhere, reads markup from data.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style")
      element.style.cssText = value; // the content policy refuses the attribute
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

// Calls an action when an element that is not a button is chosen with a key.
export function onEnter(action) {
  return (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      action();
    }
  };
}

export function percent(value, digits = 2) {
  return (100 * value).toFixed(digits);
}

export function signed(value, digits = 2) {
  return `${value < 0 ? "−" : "+"}${percent(Math.abs(value), digits)}`;
}

const NUMBERS = new Intl.NumberFormat("en");

export function grouped(count) {
  return NUMBERS.format(count); // 1,234
}

export function plural(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
