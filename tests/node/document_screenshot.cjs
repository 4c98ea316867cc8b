// A picture of the first screen of a design document: {executable, page, picture}.
"use strict";
const fs = require("node:fs");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const main = async () => {
  const { executable, page: path, picture } = JSON.parse(fs.readFileSync(0, "utf8"));
  const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
    await page.goto(pathToFileURL(path).href);
    await page.screenshot({ path: picture });
  } finally {
    await browser.close();
  }
};

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
