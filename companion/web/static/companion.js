// Live pages: follow the table by version, swap the main part, hear each touch once. Without scripts the forms still work.
"use strict";
(() => {
  const main = document.getElementById("main");
  if (!main) return;
  const body = document.body, root = document.documentElement;
  const table = body.dataset.table;
  const build = document.querySelector("meta[name=build]").content;
  const live = document.getElementById("live"), gone = document.getElementById("gone");
  const SILENT = 12000; // the server beats every 5 s; two missed beats are a dead line
  let version = +body.dataset.version, heardAt = Date.now(), source = null, reading = false, again = false;

  const state = (ok) => {
    live.hidden = !ok; gone.hidden = ok; root.classList.toggle("stale", !ok);
    for (const b of main.querySelectorAll("button")) b.toggleAttribute("aria-disabled", !ok);
  };
  const show = (html, where) => {
    const field = document.activeElement && document.activeElement.tagName === "INPUT" && main.contains(document.activeElement);
    if (field && where === "live") return; // never take a text away under somebody's hand
    const open = [...main.querySelectorAll("details[open]")].map((d) => d.className);
    main.innerHTML = html;
    for (const d of main.querySelectorAll("details")) if (open.includes(d.className)) d.open = true;
    if (where === "touch") main.focus({ preventScroll: true });
  };
  const fetchMain = async (url, options = {}) => {
    const abort = new AbortController(), timer = setTimeout(() => abort.abort(), 10000);
    try {
      return await fetch(url, { ...options, signal: abort.signal, headers: { "X-Part": "main", ...(options.headers || {}) } });
    } finally { clearTimeout(timer); }
  };
  const settle = async (response, where) => {
    const html = await response.text();
    const path = new URL(response.url);
    if (path.pathname + path.search !== location.pathname + location.search && where === "touch") history.pushState({}, "", path.pathname + path.search);
    const newer = +(response.headers.get("x-version") || 0);
    if (newer) version = Math.max(version, newer);
    show(html, where);
  };
  const reread = async () => {
    if (reading) { again = true; return; }
    reading = true;
    try { const r = await fetchMain(location.href); if (r.ok) { await settle(r, "live"); heard(); } }
    catch { /* the beat will tell */ }
    finally { reading = false; if (again) { again = false; reread(); } }
  };
  const heard = () => { heardAt = Date.now(); state(true); };

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    event.preventDefault();
    if (form.dataset.sent) return;
    form.dataset.sent = "1";
    const button = event.submitter;
    if (button) { button.classList.add("heard"); button.setAttribute("aria-busy", "true"); }
    const fields = new URLSearchParams(new FormData(form, button));
    try {
      await settle(await fetchMain(form.action, { method: "POST", body: fields }), "touch");
      if (form.action.endsWith("/look")) location.reload();
    } catch {
      delete form.dataset.sent; // the one-time key in the form makes a second touch safe
      if (button) { button.classList.remove("heard"); button.removeAttribute("aria-busy"); }
      state(false);
    }
  });
  addEventListener("popstate", () => location.reload());
  addEventListener("contextmenu", (e) => { if (root.classList.contains("kiosk")) e.preventDefault(); });

  if (!table) { return; }
  const follow = () => {
    if (source) source.close();
    source = new EventSource(`/api/tables/${table}/events`);
    source.onmessage = (event) => {
      const told = JSON.parse(event.data);
      if (told.build !== build) { location.reload(); return; }
      heard();
      if (told.version !== version) { version = told.version; reread(); }
    };
    source.addEventListener("beat", heard);
  };
  follow();
  setInterval(() => {
    if (Date.now() - heardAt < SILENT) return;
    state(false);
    if (Date.now() - heardAt > 2 * SILENT || source.readyState === 2) { follow(); }
  }, 1000);
  const wake = () => { if (!document.hidden) { follow(); reread(); } };
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (e) => { if (e.persisted) wake(); });
})();
