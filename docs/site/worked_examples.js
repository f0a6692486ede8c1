// The worked examples of the metrics page: key and response can be changed, and every step is told again.
// One plain script: a page that is opened from a folder may not load modules.
(() => {
  const FIRST = { key: "a b c | d e f g", response: "a b | c d | f g h i" };
  const EXAMPLES = {
    "Pradhan et al. 2014": FIRST,
    "one entity split": { key: "a b c d | e f", response: "a b | c d | e f" },
    "two entities merged": { key: "a b c | d e", response: "a b c d e" },
    "a mention missing, one too many": { key: "a b c | d e", response: "a b x | d e" },
    "all in one": { key: "a b | c d | e f", response: "a b c d e f" },
    "all alone": { key: "a b | c d", response: "a | b | c | d" },
    "singletons right": { key: "a b | c | d", response: "a b | c | d" },
  };
  const MOST_CLUSTERS = 9; // the alignment tries all
  const NAMES = {
    mentions: "Mentions",
    muc: "MUC",
    b_cubed: "B³",
    ceaf_m: "CEAFm",
    ceaf_e: "CEAFe",
    blanc: "BLANC",
    lea: "LEA",
    conll: "CoNLL",
  };

  const set = (cluster) => `{${cluster.join(" ")}}`;
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const shared = (one, other) => one.filter((mention) => other.includes(mention));
  const pairs = (size) => (size * (size - 1)) / 2;
  const ratio = (top, bottom) => (bottom ? top / bottom : 0);
  const mean = (one, other) => ratio(2 * one * other, one + other);
  const shown = (value) => String(Math.round(value * 1000) / 1000);

  function parse(text) {
    const clusters = text
      .replace(/[{}]/g, "|")
      .split("|")
      .map((part) => part.split(/[\s,]+/).filter(Boolean))
      .filter((cluster) => cluster.length);
    const repeated = clusters.flat().find((mention, index, all) => all.indexOf(mention) !== index);
    if (repeated) throw new Error(`${repeated} is there twice; each mention belongs to one entity`);
    if (clusters.length > MOST_CLUSTERS) throw new Error(`at most ${MOST_CLUSTERS} entities here`);
    return clusters;
  }

  // Each takes the side whose share is asked for first, and tells its lines, numerator and denominator.
  function mentions(ours, theirs) {
    const [own, other] = [ours.flat(), theirs.flat()];
    const missing = own.filter((mention) => !other.includes(mention));
    const line = missing.length ? `not on the other side: ${missing.join(" ")}` : "all are on the other side";
    return { lines: [line], top: own.length - missing.length, bottom: own.length };
  }

  function parts(cluster, theirs) {
    const met = theirs.map((other) => shared(cluster, other)).filter((part) => part.length);
    const alone = cluster.filter((mention) => !theirs.flat().includes(mention)).map((mention) => [mention]);
    return [...met, ...alone];
  }

  function muc(ours, theirs) {
    const kept = ours.map((cluster) => cluster.length - parts(cluster, theirs).length);
    const lines = ours.map((cluster, i) => {
      const cut = parts(cluster, theirs);
      return `${set(cluster)} → ${cut.map(set).join(" ")}: ${cluster.length} − ${cut.length} = ${kept[i]} of ${cluster.length - 1} links`;
    });
    return { lines, top: sum(kept), bottom: sum(ours.map((cluster) => cluster.length - 1)) };
  }

  function bCubed(ours, theirs) {
    const common = ours.map((cluster) =>
      theirs.map((other) => shared(cluster, other).length).filter(Boolean),
    );
    const share = ours.map((cluster, i) => sum(common[i].map((n) => n ** 2)) / cluster.length);
    const lines = ours.map((cluster, i) => {
      const squares = common[i].map((n) => `${n}²`).join(" + ") || "0";
      return `${set(cluster)}: (${squares}) / ${cluster.length} = ${shown(share[i])}`;
    });
    return { lines, top: sum(share), bottom: ours.flat().length };
  }

  // The best one-to-one alignment, by trying for each key cluster every response cluster that is left.
  function aligned(ours, theirs, similarity) {
    const memory = new Map();
    const best = (index, taken) => {
      if (index === ours.length) return { total: 0, pairs: [] };
      const known = memory.get(`${index} ${taken}`);
      if (known) return known;
      let result = best(index + 1, taken);
      theirs.forEach((other, number) => {
        const gain = taken & (1 << number) ? 0 : similarity(ours[index], other);
        if (!gain) return;
        const rest = best(index + 1, taken | (1 << number));
        if (gain + rest.total > result.total + 1e-12) {
          result = { total: gain + rest.total, pairs: [[ours[index], other], ...rest.pairs] };
        }
      });
      memory.set(`${index} ${taken}`, result);
      return result;
    };
    return best(0, 0);
  }

  const common = (one, other) => shared(one, other).length;
  const dice = (one, other) => (2 * common(one, other)) / (one.length + other.length);

  function ceafM(ours, theirs) {
    const { total, pairs: chosen } = aligned(ours, theirs, common);
    const lines = chosen.map(([one, other]) => `${set(one)} ↔ ${set(other)}: ${common(one, other)}`);
    return { lines, top: total, bottom: ours.flat().length };
  }

  function ceafE(ours, theirs) {
    const { total, pairs: chosen } = aligned(ours, theirs, dice);
    const lines = chosen.map(
      ([one, other]) =>
        `${set(one)} ↔ ${set(other)}: 2·${common(one, other)} / (${one.length} + ${other.length}) = ${shown(dice(one, other))}`,
    );
    return { lines, top: total, bottom: ours.length };
  }

  function lea(ours, theirs) {
    const one = ours.map((cluster) => {
      const possible = Math.max(pairs(cluster.length), 1);
      const found =
        cluster.length === 1
          ? theirs.filter((other) => other.length === 1 && other[0] === cluster[0]).length
          : sum(theirs.map((other) => pairs(common(cluster, other))));
      const line = `${set(cluster)}: ${cluster.length} · ${found}/${possible}`;
      return { line, value: (cluster.length * found) / possible };
    });
    const lines = one.map((each) => each.line);
    return { lines, top: sum(one.map((each) => each.value)), bottom: ours.flat().length };
  }

  function linksOf(clusters) {
    const owner = new Map(clusters.flatMap((cluster, number) => cluster.map((mention) => [mention, number])));
    const all = [...owner.keys()].sort();
    const [together, apart] = [new Set(), new Set()];
    all.forEach((one, index) => {
      for (const other of all.slice(index + 1)) {
        (owner.get(one) === owner.get(other) ? together : apart).add(`${one} ${other}`);
      }
    });
    return { together, apart };
  }

  function blanc(key, response) {
    const [keys, responses] = [linksOf(key), linksOf(response)];
    const kinds = ["together", "apart"].map((kind) => {
      const both = [...keys[kind]].filter((link) => responses[kind].has(link)).length;
      const [recall, precision] = [ratio(both, keys[kind].size), ratio(both, responses[kind].size)];
      const line = `${kind}: ${both} of ${keys[kind].size} and of ${responses[kind].size}`;
      return { line, there: keys[kind].size > 0, recall, precision, f1: mean(recall, precision) };
    });
    const counted = kinds.filter((kind) => kind.there);
    const average = (name) => ratio(sum(counted.map((kind) => kind[name])), counted.length);
    const lines = kinds.map((kind) => kind.line + (kind.there ? "" : " (the key has none: left out)"));
    return { lines, recall: average("recall"), precision: average("precision"), f1: average("f1") };
  }

  function eachWay(count, key, response) {
    const [left, right] = [count(key, response), count(response, key)];
    const [recall, precision] = [ratio(left.top, left.bottom), ratio(right.top, right.bottom)];
    return { left, right, recall, precision, f1: mean(recall, precision) };
  }

  function score(key, response) {
    const results = { blanc: blanc(key, response) };
    const ways = { mentions, muc, b_cubed: bCubed, ceaf_m: ceafM, ceaf_e: ceafE, lea };
    for (const [name, count] of Object.entries(ways)) results[name] = eachWay(count, key, response);
    const f1 = (results.muc.f1 + results.b_cubed.f1 + results.ceaf_e.f1) / 3;
    const lines = [
      `(${["muc", "b_cubed", "ceaf_e"].map((name) => shown(results[name].f1)).join(" + ")}) / 3`,
    ];
    results.conll = { lines, f1 };
    return results;
  }

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function way(title, { lines, top, bottom }) {
    const last = element(
      "p",
      { className: "total" },
      `${title} = ${shown(top)} / ${bottom} = ${shown(ratio(top, bottom))}`,
    );
    return element("div", { className: "way" }, ...lines.map((line) => element("p", {}, line)), last);
  }

  function steps(result) {
    if (result.left) return [way("Recall", result.left), way("Precision", result.right)];
    return [element("div", { className: "way" }, ...result.lines.map((line) => element("p", {}, line)))];
  }

  function verdict(name, result) {
    const rates = ["recall", "precision"].filter((rate) => rate in result);
    const told = [
      ...rates.map((rate) => `${rate} ${shown(100 * result[rate])}`),
      `F1 ${shown(100 * result.f1)}`,
    ];
    return element("p", { className: "verdict" }, `${NAMES[name]}: ${told.join(", ")}`);
  }

  function field(label, name, value, change) {
    const input = element("input", { name, value, spellcheck: false, autocomplete: "off" });
    input.addEventListener("input", () => change({ [name]: input.value }));
    return element("label", {}, `${label} `, input);
  }

  function chooser(change) {
    const options = Object.keys(EXAMPLES).map((name) => element("option", {}, name));
    const select = element(
      "select",
      { name: "example" },
      element("option", { value: "" }, "choose …"),
      ...options,
    );
    select.addEventListener("change", () => change(EXAMPLES[select.value] ?? {}));
    return element("label", {}, "Example ", select);
  }

  // One state for all cards of the page and the playground: what is changed in one is changed in all.
  function start(cards) {
    let state = { ...FIRST };
    const change = (difference) => {
      document.dispatchEvent(new CustomEvent("clusters", { detail: { ...state, ...difference } }));
    };
    document.addEventListener("clusters", ({ detail }) => {
      state = detail;
      draw();
    });
    for (const card of cards) {
      const form = [
        field("Key", "key", state.key, change),
        field("Response", "response", state.response, change),
      ];
      const told = element("div", { className: "told" });
      told.setAttribute("aria-live", "polite");
      card.replaceChildren(element("div", { className: "given" }, ...form, chooser(change)), told);
    }
    const draw = () => {
      let results;
      let problem = "";
      try {
        results = score(parse(state.key), parse(state.response));
      } catch (error) {
        problem = error.message;
      }
      for (const card of cards) {
        for (const input of card.querySelectorAll("input")) {
          if (input.value !== state[input.name]) input.value = state[input.name];
        }
        const name = card.dataset.metric;
        const told = problem
          ? [element("p", { className: "problem" }, problem)]
          : [...steps(results[name]), verdict(name, results[name])];
        card.querySelector(".told").replaceChildren(...told);
      }
    };
    draw();
  }

  window.workedExamples = { score, parse, element, EXAMPLES, FIRST, NAMES };
  window.workedExample = (key, response) => score(parse(key), parse(response));
  const cards = [...document.querySelectorAll(".worked-example")];
  if (cards.length) start(cards);
})();
