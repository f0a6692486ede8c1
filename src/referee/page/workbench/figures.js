// Numbers as the workbench writes them: scores in percent with two digits.

export function score(value) {
  return value.toFixed(2);
}

export function signed(value) {
  if (Math.abs(value) < 0.005) return "±0.00";
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}
