// Charts are searched here, so that a key needs no line: the server has weighed the words (companion/game/lookup.py),
// this does its sums. Without scripts the form asks the server, which ranks the same.

const split = (text) => text.toLowerCase().replaceAll("_", " ").match(/[\p{L}\p{N}_.+-]+/gu) || [];
const stem = (word) => word.replace(/^(.{3,}?)(ing|ed|es|e|s)$/, "$1");
const byRule = (number, word) => word === number ? 20 : /^[0-9]/.test(word) && number.startsWith(word + ".") ? 12 : 0;

const score = (chart, wanted) => {
  chart.list ??= Object.entries(chart.words).map(([have, weight]) => [have, stem(have), weight]); // taken apart once
  let total = 1;
  for (const [word, root] of wanted) {
    let best = byRule(chart.number, word);
    if (!best)
      for (const [have, same, weight] of chart.list)
        if (weight > best && (have.startsWith(word) || (word.length > 3 && root === same))) best = weight;
    if (!best) return 0;
    total += best;
  }
  return total;
};

/** The charts that have every word, the best first. */
export const rank = (charts, words, game = "") => {
  const wanted = split(words).map((word) => [word, stem(word)]);
  return charts.filter((c) => !game || c.game === game).map((c) => [score(c, wanted), c])
    .filter(([points]) => points).sort((a, b) => b[0] - a[0]).map(([, chart]) => chart);
};

let charts = null;
const form = () => document.querySelector("form[data-charts]");
const load = async () => {
  if (charts || !form()) return;
  try {
    const all = await (await fetch(form().dataset.charts)).json();
    rank(all, "first"); // takes the words apart before there is a key to wait for it
    charts = all;
  } catch { /* the next key tries again */ }
};

const copy = (id) => document.getElementById(id).content.cloneNode(true);
const called = (chart) => `${chart.game}/${chart.key}`;
const marked = (chart) => {
  const page = document.createElement("div"), hits = JSON.parse(form().dataset.marks)[called(chart)] || {};
  page.innerHTML = chart.html;
  for (const row of page.querySelectorAll("[data-row]")) {
    if (!(row.dataset.row in hits)) continue;
    row.classList.add("hit");
    row.firstElementChild.append(copy("chart-mark"));
    for (const cell of row.querySelectorAll("td")) cell.classList.toggle("this", cell.textContent === hits[row.dataset.row]);
  }
  return [...page.childNodes];
};
const line = (chart, game) => {
  const row = copy("chart-row"), link = row.querySelector("a"), [title, rule, of] = link.children;
  link.dataset.chart = called(chart);
  link.href = `${form().getAttribute("action")}/${chart.game}/${encodeURIComponent(chart.key)}`;
  title.textContent = chart.title + (chart.house ? "†" : "");
  rule.textContent = chart.rule;
  of.textContent = game ? "" : form().elements.game.querySelector(`[value="${chart.game}"]`).textContent;
  return row;
};
const listed = (found, game) => {
  const most = +form().dataset.most, rows = found.slice(0, most).map((chart) => line(chart, game));
  if (found.length > most) {
    const more = copy("chart-more").firstElementChild;
    more.textContent = more.textContent.replace("{n}", found.length - most);
    rows.push(more);
  }
  return rows.length ? rows : [copy("chart-none")];
};
const put = (nodes, reading, rows = false) => {
  const found = document.getElementById("found");
  found.replaceChildren(...nodes);
  found.classList.toggle("rows", rows);
  found.classList.toggle("reading", reading);
};
const address = () => {
  const field = form().elements;
  return `${form().getAttribute("action")}?${new URLSearchParams({ q: field.q.value, game: field.game.value })}`;
};

const answer = () => {
  const { q, game } = form().elements, found = rank(charts, q.value, game.value);
  if (found.length === 1) put(marked(found[0]), false); else put(listed(found, game.value), false, found.length > 1);
  const now = document.getElementById("now");
  now.hidden = q.value !== "" || !now.querySelector("a");
  history.replaceState({ charts: "" }, "", address());
};
const search = async () => {
  await load();
  if (charts && form()) answer();
};
const foot = (chart) => {
  const row = copy("chart-foot");
  for (const a of row.querySelectorAll("a"))
    a.href = a.getAttribute("href").replace("{game}", chart.game).replace("{key}", encodeURIComponent(chart.key));
  return row;
};
const open = (chart) => {
  document.querySelector(".keys")?.remove();
  document.activeElement?.blur();
  put([...marked(chart), foot(chart)], true);
  scrollTo(0, 0);
};

if (form()) load();
document.addEventListener("focusin", () => { if (form()) load(); });
document.addEventListener("input", (event) => { if (form() && event.target.form === form()) charts ? answer() : search(); });
document.addEventListener("submit", (event) => {
  if (event.target !== form() || !charts) return;
  event.preventDefault();
  answer();
});
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-chart],[data-words],[data-back]");
  if (!link || !charts || !form() || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation(); // no page is needed for it
  if (link.dataset.chart) {
    history.pushState({ charts: link.dataset.chart }, "", link.href);
    open(charts.find((chart) => called(chart) === link.dataset.chart));
  } else if (link.dataset.words) {
    form().elements.q.value = link.dataset.words;
    answer();
  } else history.back();
}, true);
addEventListener("popstate", (event) => {
  if (!form() || !charts || event.state?.charts === undefined) return;
  const chart = charts.find((c) => called(c) === event.state.charts);
  if (chart) open(chart); else answer();
});
