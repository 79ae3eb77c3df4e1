// Live pages: follow the table by version, swap the main part, hear each touch once. Without scripts the forms still work.
"use strict";
(() => {
  const main = document.getElementById("main");
  if (!main) return;
  const body = document.body, page = document.documentElement;
  const table = body.dataset.table, root = body.dataset.root;
  const build = document.querySelector("meta[name=build]").content;
  const live = document.getElementById("live"), gone = document.getElementById("gone");
  const SILENT = 12000; // the server beats every 5 s; two missed beats are a dead line
  let shown = +body.dataset.version, told = shown, heardAt = Date.now(), source = null, reading = false, behind = 0, touches = 0, touching = 0;

  const state = (ok) => {
    live.hidden = !ok; gone.hidden = ok; page.classList.toggle("stale", !ok);
    for (const b of main.querySelectorAll("button")) b.toggleAttribute("aria-disabled", !ok);
  };
  const heard = () => { heardAt = Date.now(); state(true); };
  const typing = () => main.contains(document.activeElement) && document.activeElement.matches("input:not([type=radio]):not([type=checkbox])");
  const chosen = () => main.querySelector("form:not([action$='/look']) input:checked:not([checked])"); // a half-made choice

  const show = (html, where) => {
    const open = [...main.querySelectorAll("details[open]")].map((d) => d.className);
    main.innerHTML = html;
    const title = main.querySelector("title");
    if (title) { document.title = title.textContent; title.remove(); }
    for (const d of main.querySelectorAll("details")) if (open.includes(d.className)) d.open = true;
    if (where === "live") return;
    main.focus({ preventScroll: true });
    if (where === "new") scrollTo(0, 0);
  };
  const ask = async (url, options = {}) => {
    const abort = new AbortController(), timer = setTimeout(() => abort.abort(), 10000);
    try {
      return await fetch(url, { ...options, signal: abort.signal, headers: { "X-Part": "main", ...(options.headers || {}) } });
    } finally { clearTimeout(timer); }
  };
  const settle = async (response, where) => {
    const since = touches, html = await response.text();
    if (since !== touches) return; // somebody has touched something else meanwhile
    const at = new URL(response.url), path = at.pathname + at.search;
    if (where === "live" && (typing() || chosen())) return; // begun while the page was on its way
    const same = path === location.pathname + location.search;
    if (!same && where !== "live") history.pushState({}, "", path);
    shown = Math.max(shown, +(response.headers.get("x-version") || 0));
    show(html, same && where === "new" ? "touch" : where);
    if (shown < told) reread();
  };
  const reread = async () => {
    if (reading || touching || typing() || chosen()) return; // never take a text or a choice away under somebody's hand
    reading = true;
    const since = touches; // what was read before a touch must not cover what the touch has brought
    try { const r = await ask(location.href); if (since === touches) await settle(r, "live"); heard(); }
    catch { /* the beat will tell */ }
    finally { reading = false; }
    behind = shown < told ? behind + 1 : 0;
    if (behind && behind < 5) setTimeout(reread, 500);
  };
  const tableOf = (url) => (new URL(url).pathname.match(/\/e\/([a-z0-9]+)/) || ["", ""])[1];
  const busy = (thing, on) => { if (thing) { thing.classList.toggle("heard", on); thing.toggleAttribute("aria-busy", on); } };

  const send = async (form, button) => {
    if (form.dataset.sent || page.classList.contains("stale")) return;
    form.dataset.sent = "1";
    busy(button, true);
    touches++; touching++;
    const fields = new URLSearchParams(new FormData(form, button));
    try {
      const answer = await ask(form.action, { method: "POST", body: fields });
      const look = form.action.endsWith("/look") && fields.has("back"); // the frame of the page changes too
      if (look || tableOf(answer.url) !== table) { location.assign(answer.url); return; }
      await settle(answer, "new");
    } catch {
      delete form.dataset.sent; // the one-time key in the form makes a second touch safe
      busy(button, false);
      if (table) state(false);
    } finally { touching--; }
    if (shown < told) reread();
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method === "post") { event.preventDefault(); send(form, event.submitter); }
  });
  document.addEventListener("change", (event) => {
    const field = event.target;
    for (const twin of main.querySelectorAll(`[data-mirror="${field.name}"]`)) twin.value = field.value;
    const key = [...(field.form ? field.form.querySelectorAll("input:checked") : [])].map((f) => f.value).filter(Boolean).join("|");
    for (const group of main.querySelectorAll("[data-when]")) group.hidden = group.dataset.when !== key; // the chances of this very choice
    if ("submit" in field.dataset) send(field.form);
  });
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || link.hasAttribute("download")) return;
    busy(link, true);
    const at = new URL(link.href);
    if (at.origin !== location.origin || !table || tableOf(at) !== table || /\/print\//.test(at.pathname)) return;
    event.preventDefault();
    touches++; touching++;
    try { await settle(await ask(link.href), "new"); heard(); } catch { state(false); } finally { touching--; }
    busy(link, false);
    if (shown < told) reread();
  });

  // a kiosk has no keyboard: keys come up under a text field that is touched
  const KEYS = ["1234567890⌫", "qwertyuiop-", "asdfghjkl.▾", "zxcvbnm␣"], SIGNS = ["⌫", "␣", "▾"], NAMES = (body.dataset.keys || "").split("|");
  const key = (name, press) => {
    const b = document.createElement("button");
    b.type = "button"; b.textContent = name; b.tabIndex = -1;
    if (SIGNS.includes(name)) b.setAttribute("aria-label", NAMES[SIGNS.indexOf(name)]);
    b.addEventListener("pointerdown", (e) => e.preventDefault()); // the field keeps the focus
    b.addEventListener("click", press);
    return b;
  };
  document.addEventListener("focusin", (event) => {
    const field = event.target;
    if (!page.classList.contains("kiosk") || !field.matches("input[type=search],input[type=text],input[type=password],input:not([type])")) return;
    document.querySelector(".keys")?.remove();
    const keys = document.createElement("div");
    keys.className = "keys";
    for (const name of KEYS.join("")) keys.append(key(name, () => {
      if (name === "▾") { keys.remove(); field.blur(); return; }
      field.value = name === "⌫" ? field.value.slice(0, -1) : field.value + (name === "␣" ? " " : name);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }));
    main.append(keys);
    field.scrollIntoView({ block: "nearest" });
  });

  addEventListener("popstate", (event) => event.state?.charts !== undefined && main.querySelector("form[data-charts]") ? 0 : (table ? ask(location.href).then((r) => settle(r, "touch")).catch(() => state(false)) : location.reload()));
  addEventListener("contextmenu", (e) => { if (page.classList.contains("kiosk")) e.preventDefault(); });

  if (!table) return;
  const follow = () => {
    if (source) source.close();
    source = new EventSource(`${root}/api/tables/${table}/events`);
    source.onmessage = (event) => {
      const news = JSON.parse(event.data);
      if (news.build !== build) { location.reload(); return; }
      heard();
      told = news.page; behind = 0;
      if (told !== shown) { if (told < shown) shown = 0; reread(); }
    };
    source.addEventListener("beat", heard);
  };
  follow();
  setInterval(() => {
    if (Date.now() - heardAt < SILENT) return;
    state(false);
    if (Date.now() - heardAt > 2 * SILENT || source.readyState === 2) follow();
  }, 1000);
  const wake = () => { if (!document.hidden) { follow(); reread(); } };
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (e) => { if (e.persisted) wake(); });
})();
