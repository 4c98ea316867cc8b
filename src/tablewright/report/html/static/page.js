"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector, from = document) => from.querySelector(selector);

  // ---- light and dark ----
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const themeSwitch = one("[data-theme-switch]");
  const tellTheme = () => themeSwitch.setAttribute("aria-pressed", String(isDark()));
  themeSwitch.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    tellTheme();
  });
  prefersDark.addEventListener("change", tellTheme);
  tellTheme();

  // ---- what opens and closes ----
  const folds = all("main details");
  const openAll = one("[data-open-all]");
  openAll.addEventListener("click", () => {
    const open = openAll.getAttribute("aria-pressed") !== "true";
    openAll.setAttribute("aria-pressed", String(open));
    for (const each of folds) each.open = open;
  });
  const openTarget = (hash) => {
    const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  addEventListener("hashchange", () => openTarget(location.hash));
  // Before the browser goes there, so that it finds the place at its final height; also when the address stays the same.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href^="#"]');
    if (link) openTarget(link.hash);
  });
  openTarget(location.hash);

  // Paper shows everything.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details:not([open])");
    for (const each of closed) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of closed) each.open = false;
  });

  // What is too wide can be reached and moved with the keyboard; what is not, is no stop on the way.
  const fitted = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const each of all(".scroll, pre")) fitted.observe(each);

  // ---- sections ----
  // On a phone the list of sections starts closed.
  if (matchMedia("(max-width: 860px)").matches) one("nav details").open = false;
  const links = new Map(all("nav a").map((link) => [link.hash.slice(1), link]));
  const visible = new Set();
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) visible[isIntersecting ? "add" : "delete"](target.id);
    const current = [...links.keys()].find((id) => visible.has(id));
    for (const [id, link] of links) {
      if (id === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-10% 0px -60% 0px" });
  for (const section of all("main > section")) seen.observe(section);

  // ---- tabs ----
  for (const tabs of all("[data-tabs]")) {
    const buttons = all('[role="tab"]', tabs);
    const select = (chosen) => {
      for (const button of buttons) {
        const on = button === chosen;
        button.setAttribute("aria-selected", String(on));
        button.tabIndex = on ? 0 : -1;
        document.getElementById(button.getAttribute("aria-controls")).hidden = !on;
      }
    };
    const moves = { ArrowRight: 1, ArrowLeft: -1 };
    tabs.addEventListener("click", (event) => {
      const button = event.target.closest('[role="tab"]');
      if (button) select(button);
    });
    tabs.addEventListener("keydown", (event) => {
      const at = buttons.indexOf(event.target);
      if (at < 0) return;
      const ends = { Home: 0, End: buttons.length - 1 };
      const next = event.key in moves ? (at + moves[event.key] + buttons.length) % buttons.length : ends[event.key];
      if (next === undefined) return;
      event.preventDefault();
      select(buttons[next]);
      buttons[next].focus();
    });
    select(buttons[0]);
  }

  // ---- costs ----
  const calculator = one("[data-scenarios]");
  const scenarios = calculator ? JSON.parse(calculator.dataset.scenarios) : [];
  if (!scenarios.length) return;
  const points = (name) => [...new Set(scenarios.map((each) => each[name]))].sort((a, b) => a - b);
  const [traffics, horizons] = [points("traffic"), points("months")];
  const modes = Object.keys(scenarios[0].modes);
  const scenario = (traffic, months) => scenarios.find((each) => each.traffic === traffic && each.months === months);
  const dollars = (usd) =>
    usd.toLocaleString("en-US", { style: "currency", currency: "USD", maximumFractionDigits: usd < 1000 ? 2 : 0 });

  // The known points on both sides of a value, and how far it is from the first to the second.
  const around = (known, value) => {
    const above = known.findIndex((each) => each >= value);
    if (above < 0) return [known.at(-1), known.at(-1), 0];
    const [low, high] = [known[Math.max(above - 1, 0)], known[above]];
    return high === value || low === high ? [high, high, 0] : [low, high, (value - low) / (high - low)];
  };
  const between = (low, high, share) => low + (high - low) * share;
  const estimate = (traffic, months, read) => {
    const [t0, t1, across] = around(traffics, traffic);
    const [m0, m1, along] = around(horizons, months);
    const at = (month) => between(read(scenario(t0, month)), read(scenario(t1, month)), across);
    return between(at(m0), at(m1), along);
  };
  const costs = (traffic, months) => modes.map((mode) => estimate(traffic, months, (each) => each.modes[mode]));

  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  };
  const modeRow = (mode, cost, most, least) => {
    const row = make("li", cost === least ? "best" : "");
    const track = make("span", "track");
    const bar = make("i");
    bar.style.width = `${(100 * cost) / (most || 1)}%`;
    track.setAttribute("aria-hidden", "true");
    track.append(bar);
    row.append(make("span", "label", mode), track, make("span", "value", dollars(cost)));
    return row;
  };

  const [trafficInput, monthsInput] = [one("#traffic"), one("#months")];
  const chart = one(".growth svg");
  const ceiling = (value) => {
    let unit = 0.01;
    while (value > 10 * unit) unit *= 10;
    return [1, 2, 4, 6, 8, 10].map((step) => step * unit).find((each) => value <= each) ?? 10 * unit;
  };
  const draw = (traffic, months) => {
    if (!chart) return;
    const [left, right, top, bottom, last] = ["left", "right", "top", "bottom", "months"].map((name) => Number(chart.dataset[name]));
    const found = horizons.map((month) => costs(traffic, month));
    const most = ceiling(Math.max(...found.map((each) => Math.max(each[0], Math.min(...each)))));
    const x = (month) => left + ((right - left) * month) / last;
    const line = (read) => found.map((each, at) => `${x(horizons[at])},${bottom - ((bottom - top) * read(each)) / most}`).join(" ");
    one(".dear", chart).setAttribute("points", line((each) => each[0]));
    one(".cheap", chart).setAttribute("points", line((each) => Math.min(...each)));
    one(".cursor", chart).setAttribute("d", `M${x(months)} ${top}V${bottom}`);
    all(".price", chart).forEach((each, at) => { each.textContent = dollars((most * at) / 2); });
  };

  const show = () => {
    const traffic = 10 ** Number(trafficInput.value);
    const months = Number(monthsInput.value);
    const trafficText = `${Number(traffic.toPrecision(2))}x`;
    const monthsText = months ? `in ${months} month${months === 1 ? "" : "s"}` : "now";
    one("#traffic-value").textContent = trafficText;
    one("#months-value").textContent = monthsText;
    trafficInput.setAttribute("aria-valuetext", trafficText);
    monthsInput.setAttribute("aria-valuetext", monthsText);
    const found = costs(traffic, months);
    const [most, least] = [Math.max(...found), Math.min(...found)];
    one("#modes").replaceChildren(...modes.map((mode, at) => modeRow(mode, found[at], most, least)));
    const exact = scenario(traffic, months);
    const stored = `${estimate(traffic, months, (each) => each.gb).toLocaleString("en-US", { maximumFractionDigits: 2 })} GB stored.`;
    one("#basis").textContent = exact
      ? `${stored} Computed; recommended: ${exact.recommended}.${exact.too_hot ? " Too hot for these keys." : ""}`
      : `${stored} Between computed points (${traffics.join("x, ")}x; ${horizons.join(", ")} months) along a straight line.`;
    const title = one("#growth-traffic");
    if (title) title.textContent = trafficText;
    draw(traffic, months);
  };
  one("form", calculator).addEventListener("input", show);
  one("form", calculator).addEventListener("submit", (event) => event.preventDefault());
  show();
})();
