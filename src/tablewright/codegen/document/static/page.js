"use strict";
(() => {
  const root = document.documentElement;
  const dark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.querySelector("[data-theme-switch]").addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
  });

  // On a phone the list of sections starts closed.
  if (matchMedia("(max-width: 860px)").matches) document.querySelector("nav details").open = false;

  for (const tabs of document.querySelectorAll("[data-tabs]")) {
    const buttons = [...tabs.querySelectorAll('[role="tab"]')];
    const select = (chosen, focus) => {
      for (const button of buttons) {
        const on = button === chosen;
        button.setAttribute("aria-selected", String(on));
        button.tabIndex = on ? 0 : -1;
        document.getElementById(button.getAttribute("aria-controls")).hidden = !on;
      }
      if (focus) chosen.focus();
    };
    const moves = { ArrowRight: 1, ArrowLeft: -1 };
    tabs.addEventListener("click", (event) => {
      const button = event.target.closest('[role="tab"]');
      if (button) select(button, false);
    });
    tabs.addEventListener("keydown", (event) => {
      const at = buttons.indexOf(event.target);
      if (at < 0) return;
      const ends = { Home: 0, End: buttons.length - 1 };
      const next = event.key in moves ? (at + moves[event.key] + buttons.length) % buttons.length : ends[event.key];
      if (next === undefined) return;
      event.preventDefault();
      select(buttons[next], true);
    });
    tabs.classList.add("ready");
    select(buttons[0], false);
  }

  // Folded parts are printed open.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const each of closed) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of closed) each.open = false;
  });

  const form = document.querySelector("[data-scenarios]");
  if (!form) return;
  const scenarios = JSON.parse(form.dataset.scenarios);
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  const points = (name) => [...new Set(scenarios.map((each) => each[name]))].sort((a, b) => a - b);
  const [traffics, horizons] = [points("traffic"), points("months")];
  const found = (traffic, months) => scenarios.find((each) => each.traffic === traffic && each.months === months);

  // The two known points around a value, and how far it lies between them.
  const around = (known, value) => {
    const above = known.findIndex((each) => each >= value);
    if (above <= 0) return above === 0 ? [known[0], known[0], 0] : [known.at(-1), known.at(-1), 0];
    const [low, high] = [known[above - 1], known[above]];
    return [low, high, (value - low) / (high - low)];
  };
  const between = (low, high, share) => low + (high - low) * share;
  const value = (traffic, months, read) => {
    const [t0, t1, across] = around(traffics, traffic);
    const [m0, m1, along] = around(horizons, months);
    const at = (m) => between(read(found(t0, m)), read(found(t1, m)), across);
    return between(at(m0), at(m1), along);
  };

  const [trafficInput, monthsInput] = [form.querySelector("#traffic"), form.querySelector("#months")];
  const show = () => {
    const traffic = 10 ** Number(trafficInput.value);
    const months = Number(monthsInput.value);
    form.querySelector("#traffic-value").textContent = `${traffic < 10 ? traffic.toFixed(1) : Math.round(traffic)}x`;
    form.querySelector("#months-value").textContent = String(months);
    const costs = Object.keys(scenarios[0].modes).map((mode) => [mode, value(traffic, months, (each) => each.modes[mode])]);
    const least = Math.min(...costs.map(([, cost]) => cost));
    const list = document.createElement("dl");
    for (const [mode, cost] of costs) {
      const [name, price] = [document.createElement("dt"), document.createElement("dd")];
      name.textContent = mode;
      price.textContent = dollars.format(cost);
      if (cost === least) name.className = price.className = "best";
      list.append(name, price);
    }
    const stored = document.createElement("p");
    stored.className = "quiet";
    stored.textContent = `${value(traffic, months, (each) => each.gb).toFixed(2)} GB stored; dollars a month.`;
    form.querySelector("#calculated").replaceChildren(list, stored);
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
})();
