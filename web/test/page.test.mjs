// The page in a real browser: what a reader clicks, types and follows, and what hostile model output must not do.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { example, openBrowser, openReport, renderPage } from "./browser.mjs";

const kAxe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("report page", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(async () => browser.close());

  async function open(data = example(), options = {}) {
    return openReport(browser, renderPage(data), options);
  }

  const rows = (page) => page.locator("#samples .row").count();
  const status = (page) => page.locator("#samples .note[role=status]").textContent();

  test("V2: says the verdict first and draws every figure without an error or a request", async () => {
    const data = example();
    const { page, problems } = await open(data);
    assert.equal(await page.locator(".verdict .sentence").textContent(), data.runs[0].verdict);
    for (const id of ["curves", "tasks", "depth", "outcomes", "samples", "conditions", "method"])
      assert.equal(await page.locator("#" + id).count(), 1, id);
    assert.equal(await page.locator("#tasks tbody td:not(.hole)").count(), data.runs[0].cells.length);
    assert.ok((await page.locator("#curves svg.chart path").count()) > 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("V3: a cell leads to its samples, a sample to its evidence, answer and command", async () => {
    const data = example();
    const { page, problems } = await open(data);
    const one = data.runs[0].cases[0];
    const cell = data.runs[0].cells[data.runs[0].samples.cell[one.sample]];
    const name = data.tasks[cell.task].cell;
    await page.locator("#tasks tbody tr", { has: page.getByText(name, { exact: true }) }).locator("td a").nth(cell.length).click();
    assert.match(await status(page), new RegExp(`^${cell.tally.samples} of `));
    await page.locator("#samples .row").first().click();
    const detail = page.locator(".sample");
    assert.match(await detail.locator("h3").textContent(), new RegExp(name + ":"));
    assert.ok((await detail.locator("mark").count()) > 0, "evidence is marked");
    assert.match(await detail.locator(".command code").textContent(), /--only/);
    assert.match(page.url(), /sample=\d+/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("V3: an address opens its cell and sample", async () => {
    const data = example();
    const row = data.runs[0].cases[2].sample;
    const { page } = await open(data, { hash: `#sample=${row}` });
    assert.equal(await page.locator(".sample").count(), 1);
    assert.equal(await page.locator(".row.open").count(), 1);
    await page.close();
  });

  test("filters and search narrow the list; the keyboard walks it", async () => {
    const data = example();
    const { page } = await open(data);
    const all = data.runs[0].samples.count;
    await page.locator("#samples select").nth(2).selectOption("wrong");
    const wrong = data.runs[0].samples.score.filter((score) => score === 0).length;
    assert.match(await status(page), new RegExp(`^${wrong} of ${all} `));
    await page.getByRole("button", { name: "Show all" }).click();
    await page.locator("#search").fill("niah_single_1:1024");
    assert.match(await status(page), /^10 of /);
    await page.locator("#samples .list").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.locator(".row.open").count(), 1);
    await page.locator("#search").fill("no such sample");
    assert.match(await status(page), /^0 of /);
    await page.close();
  });

  test("Q2: hostile model output stays text", async () => {
    const data = example();
    const evil = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">\u0000\u202eabc\u2028';
    const run = data.runs[0];
    run.model = run.verdict = run.name = run.remake = data.title = evil;
    run.conditions[0].value = evil;
    for (const one of run.cases) {
      one.answer = one.question = one.thinking = one.detail = evil;
      one.references = [evil];
      one.found = [true];
      one.excerpt = [{ offset: 0, pieces: [{ text: evil }, { text: evil, role: evil, distractor: false, answer: true }] }];
    }
    const { page, problems } = await open(data, { hash: `#sample=${run.cases[0].sample}` });
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("#page img").count(), 0);
    assert.ok((await page.locator(".sample .text").first().textContent()).includes("<script>"));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("V5: cells without a score carry their own marks", async () => {
    const data = example();
    data.marks.forEach((_, mark) => {
      const cell = data.runs[0].cells[mark];
      cell.mark = mark;
      if (mark >= 2) cell.tally.usability = null;
    });
    const { page } = await open(data);
    const signs = await page.locator("#tasks .legend li b").allTextContents();
    assert.equal(new Set(signs).size, signs.length);
    for (const sign of ["0", "·", "M", "T", "W", "✕"]) assert.ok(signs.includes(sign), sign);
    await page.close();
  });

  test("one length, one run, nothing run yet", async () => {
    const data = example();
    data.runs = [data.runs[0]];
    const run = data.runs[0];
    data.lengths = [data.lengths[0]];
    run.cells = run.cells.filter((cell) => cell.length === 0);
    for (const cell of run.cells) Object.assign(cell.tally, { attempted: 0, completed: 0, usability: null, quality: null, completion: null });
    for (const curve of run.curves) {
      curve.points = [curve.points[0]];
      Object.assign(curve.points[0], { usability: null, quality: null });
    }
    run.depth = [];
    run.cases = [];
    run.samples = { count: 0, cell: [], index: [], outcome: [], score: [], depth: [], ids: {} };
    run.averages = { average: null, increasing: null, decreasing: null };
    run.total.completion = null;
    const { page, problems } = await open(data);
    assert.equal(await rows(page), 0);
    assert.equal(await page.locator("#depth").count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("100,000 samples open and filter quickly", async () => {
    const data = example();
    const run = data.runs[0];
    const n = 100_000;
    const cells = run.cells.length;
    run.samples = {
      count: n,
      cell: Array.from({ length: n }, (_, i) => i % cells),
      index: Array.from({ length: n }, (_, i) => Math.floor(i / cells)),
      outcome: new Array(n).fill(0),
      score: Array.from({ length: n }, (_, i) => (i % 7 ? 1000 : 0)),
      depth: new Array(n).fill(500),
      ids: {},
    };
    const { page, problems } = await open(data);
    assert.ok((await rows(page)) < 100, "only what is seen is drawn");
    await page.locator("#search").fill(":8192:19");
    await page.waitForFunction(() => !document.querySelector("#samples .note[role=status]").textContent.startsWith("100,000"));
    assert.ok((await rows(page)) > 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`accessibility, ${colorScheme}`, async () => {
      const data = example();
      const { page } = await open(data, { colorScheme, hash: `#sample=${data.runs[0].cases[0].sample}` });
      await page.evaluate((source) => (0, eval)(source), kAxe).catch(async () => page.addScriptTag({ content: kAxe }));
      const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const found = result.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`);
      assert.deepEqual(found, []);
      await page.close();
    });
  }

  test("a narrow window and print show everything", async () => {
    const { page, problems } = await open(example(), { viewport: { width: 380, height: 800 } });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px wider than the window`);
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator(".verdict").isVisible());
    assert.deepEqual(problems, []);
    await page.close();
  });
});
