// The page in a real browser: what a reader sees first, follows and takes away.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { eventually, example, oneRun, openBrowser, openReport, pack, renderPage } from "./browser.mjs";

const kAxe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("report page", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(async () => browser.close());

  const open = (data = example(), options = {}) => openReport(browser, renderPage(data), options);

  test("V2: says the verdict first and draws every figure without an error or a request", async () => {
    const data = oneRun();
    const { page, problems } = await open(data);
    assert.equal(await page.locator(".verdict").first().textContent(), data.runs[0].headline);
    assert.equal(await page.locator(".verdict-details").first().textContent(), data.runs[0].details);
    assert.equal(await page.locator(".glance-item").count(), 5);
    for (const id of ["curves", "tasks", "effective", "depth", "failures", "cost", "samples", "conditions", "method"]) assert.equal(await page.locator("#" + id).count(), 1, id);
    assert.equal(await page.locator("#tasks td.cell:not(.hole)").count(), data.runs[0].cells.length);
    assert.ok((await page.locator("#curves svg.chart path").count()) > 0);
    const order = await page.locator("section.figure").evaluateAll((all) => all.map((one) => one.id));
    assert.equal(order[0], "curves");
    assert.equal(order.at(-1), "method");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("S4: several runs stand in one figure and against each other", async () => {
    const data = example();
    const { page, problems } = await open(data);
    assert.equal(await page.locator(".verdicts li").count(), 2);
    const [comparison] = data.comparisons;
    assert.ok((await page.locator("#compare").textContent()).includes(comparison.verdict));
    const { both, only_a, only_b, neither } = comparison.all.counts;
    for (const n of [both, only_a, only_b, neither]) assert.ok((await page.locator("#compare .legend").first().textContent()).includes(n.toLocaleString("en-US")));
    await page.locator("#compare .outcome-bar a.lost").click();
    await eventually(async () => assert.match(await page.locator("#samples .note[role=status]").textContent(), new RegExp(`^${only_a} of `)));
    assert.match(page.url(), /run=1&pair=lost/);
    await eventually(async () => assert.equal(await page.locator(".runs button[aria-pressed=true]").count(), 1));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a section without values is left out", async () => {
    const data = oneRun();
    const run = data.runs[0];
    Object.assign(run, { summaries: [], robust: null, depth: [], spending: null, controls: [], variants: [], regions: [] });
    run.positions = { gaps: [], spans: [], distances: [], edges: [] };
    const { page, problems } = await open(data);
    for (const id of ["effective", "depth", "cost", "robustness", "compare", "structure"]) assert.equal(await page.locator("#" + id).count(), 0, id);
    const parts = await page.locator(".bar nav a").allTextContents();
    assert.ok(!parts.includes("Cost"));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("G9, S7, S8: controls, spreads and the tree of tasks where a run has them", async () => {
    const data = oneRun();
    const e = (value) => ({ value, low: value - 0.05, high: Math.min(1, value + 0.05), n: 40, method: "Wilson" });
    data.runs[0].controls = [{ task: -1, length: 0, score: e(0.9), no_context: e(0.1), needles_only: e(0.95), above_no_context: e(0.8), below_needles_only: e(0.05) }];
    data.runs[0].variants = [{ axis: "wording", arms: ["ordinary", "terse"], rows: [{ cell: "all tasks", length: -1, arms: [e(0.9), null], lowest: 0.8, highest: 0.9, deviation: 0.07, sampling_deviation: 0.03, arm_deviation: e(0.06), p: 0.02, shared: 40 }] }];
    data.structure = { runs: ["a", "b", "c"], tasks: ["x", "y", "z"], left_out: [], correlations: [0, 1, 2].map((i) => [0, 1, 2].map((j) => [i === j ? 1 : 0.5, 0, 1])), steps: [{ left: 0, right: 2, distance: 0.2, size: 2 }, { left: 1, right: 3, distance: 0.5, size: 3 }], order: [0, 2, 1], groups: [0, 1, 0], subset: [1], subset_error: 0.01 };
    const { page, problems } = await open(data);
    assert.match(await page.locator("#robustness").textContent(), /no context.*10\.0/s);
    assert.match(await page.locator("#robustness").textContent(), /Spread over wording/);
    assert.equal(await page.locator("#structure .chart path").count(), 2);
    assert.equal(await page.locator("#structure td.cell").count(), 9);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("V5: cells without a score carry their own signs, words and patterns", async () => {
    const data = oneRun();
    data.marks.forEach(({ kind }, mark) => {
      if (kind === "no-samples") return;
      const cell = data.runs[0].cells[mark];
      cell.mark = mark;
      if (mark >= 2) cell.tally.usability = null;
    });
    const { page } = await open(data);
    for (const kind of ["not-run", "out-of-memory", "timed-out", "over-window", "failed"]) assert.equal(await page.locator(`#tasks td.${kind}`).count(), 1, kind);
    const signs = await page.locator("#tasks td.blank b").allTextContents();
    assert.equal(new Set(signs).size, signs.length);
    const patterns = await page.locator("#tasks td.blank").evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundImage + getComputedStyle(one).borderTopStyle));
    assert.equal(new Set(patterns).size, patterns.length);
    assert.match(await page.locator("#tasks td", { hasText: "○ 0" }).first().textContent(), /○ 0/);
    const legend = await page.locator("#tasks .legend").textContent();
    for (const words of ["unresolved", "below it", "zero", "out of memory", "timed out"]) assert.ok(legend.includes(words), words);
    await page.close();
  });

  test("arrow keys walk a heatmap, Enter opens the cell's samples, its note follows the focus", async () => {
    const data = oneRun();
    const { page } = await open(data);
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    await page.locator("#tasks td.cell a").first().focus();
    const first = await focused();
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await focused(), first);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Home");
    assert.match(await focused(), new RegExp(data.lengths[0].name));
    await page.keyboard.press("ArrowUp");
    assert.equal(await focused(), first);
    assert.equal(await page.locator("#tasks td.cell a[tabindex='0']").count(), 1);
    assert.ok(await page.locator(".tip").isVisible());
    assert.match(await page.locator(".tip").textContent(), /n = \d+/);
    await page.keyboard.press("Enter");
    assert.match(page.url(), /length=0|task=0|#$/);
    await eventually(async () => assert.match(await page.locator("#samples .note[role=status]").textContent(), new RegExp(`^${data.runs[0].cells[0].tally.samples} of `)));
    await page.close();
  });

  test("each figure can be taken away as CSV, SVG and PNG, and linked to", async () => {
    const { page, problems } = await open(example(), { permissions: ["clipboard-read", "clipboard-write"] });
    const menu = async (id, item) => {
      await page.locator(`#${id} .menu summary`).click();
      await page.locator(`#${id} .menu button`, { hasText: item }).click();
      await page.waitForFunction((figure) => document.querySelector(`#${figure} .copied`).textContent !== "", id);
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const csv = await menu("curves", "Copy CSV");
    assert.match(csv, /^run,curve,length,score,score_low/);
    assert.equal(csv.trim().split("\n").length, 1 + example().runs.reduce((n, run) => n + run.curves.reduce((m, curve) => m + curve.points.length, 0), 0));
    for (const id of ["curves", "tasks", "compare", "failures", "effective"]) {
      const svg = await menu(id, "Copy SVG");
      assert.match(svg, /^<svg/);
      assert.ok(!svg.includes("var(--"), `${id}: colours are written out`);
      const sane = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") === null, svg);
      assert.ok(sane, id);
    }
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      (async () => {
        await page.locator("#tasks .menu summary").click();
        await page.locator("#tasks .menu button", { hasText: "Save PNG" }).click();
      })(),
    ]);
    const png = readFileSync(await download.path());
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(png.readUInt32BE(16) > 1500, "drawn at twice its size");
    const link = await menu("failures", "Copy link");
    assert.match(link, /#.*at=failures/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("V3: an address opens its figure", async () => {
    const { page } = await open(example(), { hash: "#run=1&at=failures" });
    const top = await page.locator("#failures").evaluate((one) => one.getBoundingClientRect().top);
    assert.ok(Math.abs(top) < 200, String(top));
    await page.close();
  });

  test("light and dark follow the system until one is chosen", async () => {
    const { page } = await open(example(), { colorScheme: "dark" });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.locator(".bar button").click();
    const light = await paper();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await paper(), light);
    await page.emulateMedia({ media: "print" });
    assert.equal(await paper(), "rgb(255, 255, 255)");
    await page.close();
  });

  for (const colorScheme of ["light", "dark"])
    for (const [name, make] of [["one run", oneRun], ["two runs", example]])
      test(`accessibility, ${colorScheme}, ${name}`, async () => {
        const data = make();
        const { page } = await open(data, { colorScheme, hash: `#sample=${data.runs[0].cases[0].sample}` });
        await page.evaluate((source) => (0, eval)(source), kAxe).catch(async () => page.addScriptTag({ content: kAxe }));
        const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        const found = result.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
        assert.deepEqual(found, []);
        await page.close();
      });

  test("one length, one run, nothing run yet", async () => {
    const data = oneRun();
    const run = data.runs[0];
    data.lengths = [data.lengths[0]];
    run.cells = run.cells.filter((cell) => cell.length === 0);
    for (const cell of run.cells) Object.assign(cell.tally, { attempted: 0, completed: 0, usability: null, quality: null, completion: null, strict: null, misses: [] });
    for (const curve of run.curves) {
      curve.points = [curve.points[0]];
      Object.assign(curve.points[0], { usability: null, quality: null, strict: null });
      curve.points[0].pool.outcomes.fill(0);
    }
    Object.assign(run, { depth: [], cases: [], summaries: [], robust: null, spending: null });
    run.positions = { gaps: [], spans: [], distances: [], edges: [] };
    run.samples = { count: 0, columns: Object.fromEntries(Object.keys(run.samples.columns).map((name) => [name, pack([], "u8")])), ids: {} };
    run.averages = { average: null, increasing: null, decreasing: null };
    run.total.completion = null;
    const { page, problems } = await open(data);
    assert.equal(await page.locator("#samples .row").count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a page of another version is refused in words", async () => {
    const { page } = await open({ ...example(), version: 3 });
    assert.match(await page.locator("#page").textContent(), /version 3/);
    await page.close();
  });

  test("a narrow window and print show everything", async () => {
    const { page, problems } = await open(example(), { viewport: { width: 380, height: 800 } });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px wider than the window`);
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator(".verdict").first().isVisible());
    assert.ok(!(await page.locator(".bar").isVisible()));
    assert.ok(!(await page.locator("#samples .list").isVisible()));
    const pdf = await page.pdf({ format: "A4" });
    assert.equal(pdf.subarray(0, 4).toString(), "%PDF");
    assert.deepEqual(problems, []);
    await page.close();
  });
});
