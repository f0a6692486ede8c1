// Light or dark: as the machine says, until one chooses.

export function changeTheme() {
  const { theme } = document.documentElement.dataset;
  const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(dark ? "light" : "dark");
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  try {
    localStorage.setItem("referee-theme", name);
  } catch {
    // a page opened from a file may not be allowed to remember; the choice then holds until it is closed
  }
}

export function rememberTheme() {
  try {
    const name = localStorage.getItem("referee-theme");
    if (name) document.documentElement.dataset.theme = name;
  } catch {
    // as above
  }
}
