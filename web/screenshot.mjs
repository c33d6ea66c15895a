// The head of a report as a picture, for the README: node screenshot.mjs REPORT.html PICTURE.png [HEIGHT] [light|dark]
import { resolve } from "node:path";
import { openBrowser } from "./test/browser.mjs";

const [report, picture, height = "1640", colorScheme = "light"] = process.argv.slice(2);
const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1200, height: Number(height) }, colorScheme, deviceScaleFactor: 1.5 });
await page.goto("file://" + resolve(report));
await page.evaluate(() => document.fonts.ready);
await page.waitForTimeout(300);
await page.screenshot({ path: picture });
await browser.close();
