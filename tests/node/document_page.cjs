// Opens a design document in Chromium and reports what a reader meets there: {executable, path, points} -> report.
// `points` are the [traffic, months] at which the sliders are read.
"use strict";
const fs = require("node:fs");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const WIDTHS = [320, 375, 768, 1280];

// ---- run inside the page ----

const structure = () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const ids = all("[id]").map((each) => each.id);
  const named = (each) => (each.getAttribute("aria-label") || each.textContent || "").trim() !== "";
  const labelled = (each) => each.labels.length > 0 || each.hasAttribute("aria-label");
  return {
    lang: document.documentElement.lang,
    landmarks: ["header", "nav[aria-label]", "main", "footer"].filter((each) => all(each).length !== 1),
    headings: all("h1, h2, h3, h4, h5, h6").map((each) => [Number(each.tagName[1]), each.textContent.trim()]),
    namelessPictures: all('img, svg, [role="img"]').filter((each) => !each.closest("[aria-hidden]") && !named(each)).length,
    unlabelledInputs: all("input, select, textarea").filter((each) => !labelled(each)).map((each) => each.id),
    namelessButtons: all("button, a").filter((each) => !named(each)).map((each) => each.outerHTML),
    tablesWithoutCaption: all("table").filter((each) => !each.caption?.textContent.trim()).length,
    repeatedIds: ids.filter((each, at) => ids.indexOf(each) !== at),
    deadLinks: all('a[href^="#"]').map((each) => each.getAttribute("href")).filter((each) => !document.getElementById(each.slice(1))),
    brokenReferences: all("[aria-controls], [aria-labelledby]").flatMap((each) =>
      ["aria-controls", "aria-labelledby"].map((name) => each.getAttribute(name)).filter((id) => id && !document.getElementById(id))),
    foreignElements: all("body *").map((each) => each.tagName.toLowerCase()).filter((each) => ["iframe", "object", "embed", "img", "link"].includes(each)),
    scripts: all("script").length,
    text: document.body.innerText,
  };
};

const charts = () =>
  [...document.querySelectorAll("svg, .bars li .track, .growth polyline, .front circle")].map((each) => {
    const box = each.getBoundingClientRect();
    return [each.getAttribute("class") || each.tagName, box.width, box.height];
  });

// Text against what lies behind it, by the formula of WCAG 2; and lines, bars and borders against their ground.
const contrasts = () => {
  const channels = (text) => text.match(/[\d.]+/g).map(Number);
  const light = (text) => {
    const [r, g, b] = channels(text).slice(0, 3).map((each) => each / 255).map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, two) => {
    const [high, low] = [light(one), light(two)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const solid = (text) => text.startsWith("rgb(");
  const ground = (each) => {
    for (let at = each; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (solid(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const shape = (text) => text.closest(".entity, .chosen, .other")?.querySelector("rect, circle");
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const each = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !each.checkVisibility() || each.closest("script, style, title, datalist")) continue;
    const style = getComputedStyle(each);
    const drawn = each instanceof SVGElement;
    const colour = drawn ? style.fill : style.color;
    const behind = drawn && shape(each) ? getComputedStyle(shape(each)).fill : ground(each);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const found = ratio(colour, behind);
    if (found < (large ? 3 : 4.5)) poor.push([walker.currentNode.data.trim().slice(0, 40), each.className.baseVal ?? each.className, colour, behind, found.toFixed(2)]);
  }
  const parts = [
    [".track i", (style) => style.backgroundColor, (each) => ground(each.parentElement)],
    [".swatch", (style) => style.backgroundColor, (each) => ground(each.parentElement)],
    [".edge path, .plane polyline, .plane .axis, .plane .cursor, .entity rect, .front circle", (style) => style.stroke, (each) => ground(each.ownerSVGElement.parentElement)],
    ["button", (style) => style.borderTopColor, (each) => ground(each.parentElement)],
  ];
  for (const [selector, read, behind] of parts) {
    for (const each of document.querySelectorAll(selector)) {
      if (!each.checkVisibility()) continue;
      const colour = read(getComputedStyle(each));
      const found = ratio(colour, behind(each));
      if (found < 3) poor.push([selector, each.getAttribute("class"), colour, behind(each), found.toFixed(2)]);
    }
  }
  return poor;
};

// What has to be moved sideways without being a stop for the keyboard, and the other way round.
const unreachable = async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))));
  return [...document.querySelectorAll(".scroll, pre")]
    .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth !== each.hasAttribute("tabindex"))
    .map((each) => each.outerHTML.slice(0, 120));
};

const showEverything = () => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  for (const each of document.querySelectorAll('[role="tabpanel"]')) each.hidden = false;
};

// ---- what a reader does ----

const tabs = async (page) => {
  const state = () =>
    page.evaluate(() => ({
      selected: [...document.querySelectorAll('[role="tab"]')].findIndex((each) => each.getAttribute("aria-selected") === "true"),
      focused: [...document.querySelectorAll('[role="tab"]')].indexOf(document.activeElement),
      shown: [...document.querySelectorAll('[role="tabpanel"]')].flatMap((each, at) => (each.checkVisibility() ? [at] : [])),
    }));
  const found = { count: await page.locator('[role="tab"]').count(), start: await state() };
  await page.locator('[role="tab"]').last().click();
  found.clicked = await state();
  for (const key of ["Home", "ArrowRight", "ArrowLeft", "ArrowLeft", "End"]) {
    await page.keyboard.press(key);
    (found.keys ??= []).push([key, await state()]);
  }
  return found;
};

const sliders = async (page, points) => {
  const read = () =>
    page.evaluate(() => ({
      modes: Object.fromEntries([...document.querySelectorAll("#modes li")].map((each) => [each.querySelector(".label").textContent, each.querySelector(".value").textContent])),
      best: [...document.querySelectorAll("#modes .best .label")].map((each) => each.textContent),
      basis: document.querySelector("#basis").textContent,
      traffic: document.querySelector("#traffic-value").textContent,
      months: document.querySelector("#months-value").textContent,
      spoken: document.querySelector("#traffic").getAttribute("aria-valuetext"),
      line: document.querySelector(".growth polyline.dear").getAttribute("points"),
    }));
  const found = [];
  for (const [traffic, months] of points) {
    await page.locator("#traffic").fill(String(Math.log10(traffic)));
    await page.locator("#months").fill(String(months));
    found.push({ ...(await read()), point: [traffic, months] });
  }
  await page.locator("#traffic").fill("0");
  await page.locator("#months").fill("0");
  await page.locator("#traffic").press("ArrowRight");
  await page.locator("#months").press("ArrowRight");
  return { points: found, between: await read() };
};

const theme = async (page) => {
  const read = () => page.evaluate(() => [getComputedStyle(document.body).backgroundColor, document.querySelector("[data-theme-switch]").getAttribute("aria-pressed")]);
  const found = [await read()];
  for (let at = 0; at < 2; at += 1) {
    await page.locator("[data-theme-switch]").click();
    found.push(await read());
  }
  return found;
};

const links = async (page) => {
  const link = page.locator("#patterns td a").last();
  await link.click();
  const found = await page.evaluate(() => {
    const target = document.getElementById(location.hash.slice(1));
    return { tag: target.tagName, open: target.open };
  });
  await page.locator("[data-open-all]").click();
  found.openAfterAll = await page.locator("main details:not([open])").count();
  await page.locator("[data-open-all]").click();
  found.closedAfterAll = await page.locator("main details[open]").count();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Tab");
  found.outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  return found;
};

// ---- one page ----

const report = async (browser, address, points) => {
  const found = { errors: [], requests: [], overflow: {}, unreachable: {}, contrast: {} };
  const open = async (options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    page.on("console", (message) => found.errors.push(message.text()));
    page.on("pageerror", (error) => found.errors.push(error.message));
    page.on("dialog", (dialog) => { found.errors.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
    page.on("request", (request) => { if (request.url() !== address && !request.url().startsWith("data:")) found.requests.push(request.url()); });
    await page.goto(address);
    return page;
  };
  const page = await open();
  found.structure = await page.evaluate(structure);
  found.charts = await page.evaluate(charts);
  found.scrolling = await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  found.tabs = await tabs(page);
  found.sliders = await sliders(page, points);
  found.theme = await theme(page);
  found.links = await links(page);
  await page.evaluate(showEverything);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    found.overflow[width] = await page.evaluate(() => document.documentElement.scrollWidth);
    found.unreachable[width] = await page.evaluate(unreachable);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const scheme of ["light", "dark"]) {
    await page.evaluate((name) => { document.documentElement.dataset.theme = name; }, scheme);
    found.contrast[scheme] = await page.evaluate(contrasts);
  }
  await page.context().close();

  const paper = await open({ colorScheme: "dark" });
  await paper.emulateMedia({ media: "print" });
  found.paper = await paper.evaluate(() => ({
    ground: getComputedStyle(document.body).backgroundColor,
    hidden: ["nav", "button", '[role="tablist"]'].filter((each) => document.querySelector(each).checkVisibility()),
    panels: [...document.querySelectorAll('[role="tabpanel"]')].filter((each) => !each.checkVisibility()).length,
  }));
  found.paper.bytes = (await paper.pdf({ format: "A4" })).length;
  await paper.context().close();

  const scriptless = await open({ javaScriptEnabled: false });
  found.scriptless = {
    panels: await scriptless.locator('[role="tabpanel"]:visible').count(),
    names: await scriptless.locator('[role="tabpanel"] > h3:visible').count(),
    controls: await scriptless.locator("button:visible, input:visible").count(),
    chart: await scriptless.locator(".growth polyline").count(),
  };
  await scriptless.context().close();
  return found;
};

const main = async () => {
  const { executable, path, points } = JSON.parse(fs.readFileSync(0, "utf8"));
  const browser = await chromium.launch({ executablePath: executable, args: QUIET });
  try {
    process.stdout.write(JSON.stringify(await report(browser, pathToFileURL(path).href, points)));
  } finally {
    await browser.close();
  }
};

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
