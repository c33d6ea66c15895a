// A real headless Chromium showing a report, with everything that goes wrong collected.
import { chromium } from "playwright-core";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const kExample = new URL("../../tests/data/report/page_example.json", import.meta.url);
const kTemplate = new URL("../../data/report/page.html", import.meta.url);

export function renderPage(data) {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  const file = join(mkdtempSync(join(tmpdir(), "fathom-page-")), "report.html");
  writeFileSync(file, readFileSync(kTemplate, "utf8").replace("/*FATHOM-PAGE-DATA*/", () => json));
  return file;
}

export const example = () => JSON.parse(readFileSync(kExample, "utf8"));

export async function openBrowser() {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) throw new Error("no Chromium is installed");
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

// `problems` fills with console errors, page errors and requests beyond the file itself.
export async function openReport(browser, file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push("request to " + request.url());
  });
  await page.goto("file://" + file + (options.hash ?? ""));
  return { page, problems };
}
