// A real headless Chromium showing a report, with everything that goes wrong collected.
import { chromium } from "playwright-core";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const kExample = new URL("../../tests/data/report/page_example.json", import.meta.url);
const kTemplate = new URL("../../data/report/page.html", import.meta.url);

export function renderPage(data) {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  const file = join(mkdtempSync(join(tmpdir(), "fathom-page-")), "report.html");
  writeFileSync(file, readFileSync(kTemplate, "utf8").replace("/*FATHOM-PAGE-DATA*/", () => json));
  return file;
}

export const example = () => JSON.parse(readFileSync(kExample, "utf8"));

// The example with its first run alone.
export function oneRun() {
  const data = example();
  data.runs.length = 1;
  data.comparisons = [];
  return data;
}

const kWidths = { u8: 1, u16: 2, u32: 4 };

// Columns as docs/formats/page.md has them, -1 standing for none.
export function pack(values, type = "u16") {
  const width = kWidths[type];
  const bytes = Buffer.alloc(values.length * width);
  values.forEach((value, i) => bytes.writeUIntLE(value < 0 ? 2 ** (8 * width) - 1 : value, i * width, width));
  return { type, data: bytes.toString("base64") };
}

export function unpack({ type, data }) {
  const bytes = Buffer.from(data, "base64");
  const width = kWidths[type];
  return Array.from({ length: bytes.length / width }, (_, i) => {
    const value = bytes.readUIntLE(i * width, width);
    return value === 2 ** (8 * width) - 1 ? -1 : value;
  });
}

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
  const { hash = "", permissions, ...pageOptions } = options;
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...pageOptions });
  if (permissions) await page.context().grantPermissions(permissions);
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push("request to " + request.url());
  });
  await page.goto("file://" + file + hash);
  return { page, problems };
}

// Repeats a check until it holds: a page answers a new address in a task of its own, after the click or key that set it. After two
// seconds the last failure is the test's.
export async function eventually(check) {
  const end = Date.now() + 2000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}
