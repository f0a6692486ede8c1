// The playground of the metrics page: mentions are moved between entities, and every metric is computed again.
// It shares its key and response with the worked examples, by the event "clusters".
(() => {
  const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
  const MOST_ENTITIES = 9;
  const SIDES = { key: "Key", response: "Response" };
  const { score, parse, element, EXAMPLES, FIRST, NAMES } = window.workedExamples;

  const written = (clusters) => clusters.map((cluster) => cluster.join(" ")).join(" | ");
  const percent = (value) => (100 * value).toFixed(2);

  // Take a mention out of its entity, and put it into the one with a number, a new one, or none.
  function moved(clusters, mention, target) {
    const rest = clusters.map((cluster) => cluster.filter((each) => each !== mention));
    if (target === "new") rest.push([mention]);
    else if (target !== "none") rest[target] = [...rest[target], mention].sort();
    return rest.filter((cluster) => cluster.length);
  }

  function start(place) {
    let clusters = { key: parse(FIRST.key), response: parse(FIRST.response) };
    let letters = [];
    let chosen = null; // the mention that the next click puts somewhere: { side, mention }
    let before = null; // the F1 scores before the last change

    const tell = (next) => {
      const detail = { key: written(next.key), response: written(next.response) };
      document.dispatchEvent(new CustomEvent("clusters", { detail }));
    };
    const move = (side, mention, target) => {
      chosen = null;
      tell({ ...clusters, [side]: moved(clusters[side], mention, target) });
      place.querySelector(`[data-side="${side}"] [data-mention="${mention}"]`)?.focus();
    };

    // Where a mention can be, from left to right: the entities, a new one, and nowhere.
    function places(side) {
      const room = clusters[side].length < MOST_ENTITIES ? ["new"] : [];
      return [...clusters[side].keys(), ...room, "none"];
    }

    function step(side, mention, by) {
      const all = places(side);
      const here = clusters[side].findIndex((cluster) => cluster.includes(mention));
      const next = all.indexOf(here < 0 ? "none" : here) + by;
      if (all[next] !== undefined) move(side, mention, all[next]);
    }

    function chip(side, mention) {
      const owner = clusters.key.findIndex((cluster) => cluster.includes(mention));
      const made = element("button", { type: "button", draggable: true, className: "mention" }, mention);
      made.dataset.mention = mention;
      made.dataset.entity = owner < 0 ? "none" : owner;
      made.setAttribute("aria-pressed", chosen?.side === side && chosen.mention === mention);
      made.addEventListener("click", (event) => {
        event.stopPropagation();
        chosen = chosen?.side === side && chosen.mention === mention ? null : { side, mention };
        draw();
        place.querySelector(`[data-side="${side}"] [data-mention="${mention}"]`).focus();
      });
      made.addEventListener("dragstart", (event) => {
        event.dataTransfer.setData("text/plain", mention);
        chosen = { side, mention };
      });
      made.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        step(side, mention, by);
      });
      return made;
    }

    function box(side, target, label, mentions) {
      const made = element("div", { className: "entity" }, ...mentions.map((each) => chip(side, each)));
      made.dataset.target = target;
      made.setAttribute("role", "group");
      made.setAttribute("aria-label", `${SIDES[side]}: ${label}`);
      if (typeof target === "string") made.prepend(element("span", { className: "label" }, label));
      const takes = () => chosen?.side === side && !mentions.includes(chosen.mention);
      if (takes()) {
        const here = element("button", { type: "button", className: "here" }, `${chosen.mention} here`);
        here.addEventListener("click", () => move(side, chosen.mention, target));
        made.append(here);
      }
      made.addEventListener("dragover", (event) => takes() && event.preventDefault());
      made.addEventListener("drop", (event) => {
        event.preventDefault();
        if (takes()) move(side, chosen.mention, target);
      });
      return made;
    }

    function panel(side) {
      const names = { new: "new entity", none: "not marked" };
      const present = clusters[side].flat();
      const boxes = places(side).map((target) =>
        target in names
          ? box(side, target, names[target], target === "none" ? absent(present) : [])
          : box(side, target, `entity ${target + 1}`, clusters[side][target]),
      );
      const made = element("div", { className: "side" }, element("h3", {}, SIDES[side]), ...boxes);
      made.dataset.side = side;
      return made;
    }

    const absent = (present) => letters.filter((letter) => !present.includes(letter));

    function row(name, result) {
      const cells = ["recall", "precision", "f1"].map((rate) =>
        element("td", {}, rate in result ? percent(result[rate]) : ""),
      );
      const bar = element("span", { className: "bar" });
      bar.style.width = `${100 * result.f1}%`;
      const gain = before ? result.f1 - before[name] : 0;
      const change = Math.abs(gain) < 5e-5 ? "" : `${gain > 0 ? "▲" : "▼"} ${percent(Math.abs(gain))}`;
      const made = element(
        "tr",
        {},
        element("th", { scope: "row" }, NAMES[name]),
        ...cells,
        element("td", { className: "share" }, bar),
        element("td", { className: gain > 0 ? "more" : "less" }, change),
      );
      made.dataset.metric = name;
      return made;
    }

    function table(results) {
      const titles = ["Metric", "Recall", "Precision", "F1", "", "Change"];
      const head = titles.map((title) => element(title ? "th" : "td", title ? { scope: "col" } : {}, title));
      const rows = Object.keys(NAMES).map((name) => row(name, results[name]));
      return element(
        "table",
        { className: "scores" },
        element("thead", {}, element("tr", {}, ...head)),
        element("tbody", {}, ...rows),
      );
    }

    function controls() {
      const options = Object.keys(EXAMPLES).map((name) => element("option", {}, name));
      const select = element("select", {}, element("option", { value: "" }, "choose …"), ...options);
      select.addEventListener("change", () => {
        letters = [];
        if (select.value)
          document.dispatchEvent(new CustomEvent("clusters", { detail: EXAMPLES[select.value] }));
      });
      const more = element("button", { type: "button", className: "more-mentions" }, "Add a mention");
      more.addEventListener("click", () => {
        const next = LETTERS.find((letter) => !letters.includes(letter));
        if (!next) return;
        letters = [...letters, next];
        draw();
      });
      return element("p", { className: "controls" }, element("label", {}, "Example ", select), " ", more);
    }

    const [sides, scores] = [
      element("div", { className: "sides" }),
      element("div", { className: "results" }),
    ];
    const said = element("p", { className: "said" });
    said.setAttribute("aria-live", "polite");

    function draw() {
      const seen = [...clusters.key.flat(), ...clusters.response.flat(), ...letters];
      letters = [...new Set(seen)].sort();
      const results = score(clusters.key, clusters.response);
      sides.replaceChildren(...Object.keys(SIDES).map(panel));
      scores.replaceChildren(table(results));
      const change = before && results.conll.f1 - before.conll;
      const compared = change
        ? `, ${percent(Math.abs(change))} ${change > 0 ? "more" : "less"} than before`
        : "";
      said.textContent = `CoNLL average: ${percent(results.conll.f1)}${compared}`;
      return results;
    }

    place.replaceChildren(controls(), sides, said, scores);
    let last = draw();
    document.addEventListener("clusters", ({ detail }) => {
      try {
        clusters = { key: parse(detail.key), response: parse(detail.response) };
      } catch {
        return; // a worked example below says what is wrong with it
      }
      before = Object.fromEntries(Object.keys(NAMES).map((name) => [name, last[name].f1]));
      last = draw();
    });
  }

  const place = document.querySelector(".playground");
  if (place) start(place);
})();
