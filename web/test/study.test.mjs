// The page of a study of arms in a real browser: the story is told in words, figures and samples.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { eventually, openBrowser, openReport, renderPage } from "./browser.mjs";

const kAxe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const kStudy = new URL("../../tests/data/report/page_study.json", import.meta.url);
const study = () => JSON.parse(readFileSync(kStudy, "utf8"));
const kSections = ["arms", "losses", "coverage", "frontier", "budgets", "layers", "agreement", "picture", "samples", "curves", "compare", "tasks", "conditions", "method"];

describe("study page", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(async () => browser.close());

  const open = (data = study(), options = {}) => openReport(browser, renderPage(data), options);
  const status = (page) => page.locator("#samples .note[role=status]").textContent();

  test("V2: the verdict is first, every figure is there with its conditions", async () => {
    const data = study();
    const { page, problems } = await open(data);
    assert.equal(await page.locator(".verdict").first().textContent(), data.arms.verdict.headline);
    assert.deepEqual(await page.locator(".findings li").allTextContents(), data.arms.verdict.sentences);
    assert.equal(await page.locator(".glance").first().locator(".glance-item").count(), 5);
    const order = await page.locator("section.figure").evaluateAll((all) => all.map((one) => one.id));
    assert.deepEqual(order.filter((id) => kSections.includes(id)), kSections);
    for (const id of kSections.slice(0, 8)) assert.match(await page.locator(`#${id} .figure-conditions`).textContent(), /Small-1B · .*n = 48/, id);
    assert.equal(await page.locator("#arms tbody tr").count(), data.arms.arms.length);
    assert.equal(await page.locator("#arms svg.whisker").count(), data.arms.arms.length);
    assert.ok((await page.locator("#frontier a").count()) >= data.arms.arms.length - 1);
    assert.match(await page.locator("#arms").textContent(), /Noise floor: full attention twice differs on 0 of 48 samples/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("A4: steps, and arm against arm, are told of the recorded selections", async () => {
    const data = study();
    const { arms, pairs } = data.arms.readings;
    const { page, problems } = await open(data);
    assert.equal(await page.locator("#agreement .sheet tbody tr").count(), arms.length);
    const quest = page.locator("#agreement .sheet tbody tr", { hasText: "quest-256" });
    const first = arms.find((arm) => arm.arm === "quest-256").steps.find((step) => step.step === "first");
    assert.match(await quest.textContent(), new RegExp(`${(first.joint * 100).toFixed(first.joint === 1 ? 0 : 1)} %`));
    assert.equal(await page.locator("#agreement .matrix tbody td a").count(), 2 * pairs.length);
    assert.deepEqual(problems, []);
    await page.close();
    const without = study();
    without.arms.readings = { arms: [], pairs: [] };
    const plain = await open(without);
    assert.equal(await plain.page.locator("#agreement").count(), 0);
    assert.deepEqual(plain.problems, []);
    await plain.page.close();
  });

  test("A6: the eight cells of the chosen selector lead to their samples", async () => {
    const data = study();
    const quest = data.arms.arms.findIndex((arm) => arm.arm.name === "quest-256");
    const cross = data.arms.crosses.find((one) => one.real === "quest-256");
    const { page, problems } = await open(data);
    await page.locator(`#losses .runs button[data-arm="${quest}"]`).click();
    await eventually(async () => assert.equal(await page.locator("#losses .runs button[aria-pressed=true]").textContent(), "quest-256"));
    const counts = await page.locator("#losses .cross-sheet tbody td b").allTextContents();
    assert.equal(counts.reduce((sum, n) => sum + Number(n), 0), cross.groups[0].n);
    for (const [code, name] of [["110", "full1 oracle1 real0"], ["111", "full1 oracle1 real1"], ["001", "full0 oracle0 real1"]]) {
      await page.evaluate(([run, pattern]) => (location.hash = `#run=${run}&cross=${pattern}&at=samples`), [quest, code]);
      await eventually(async () => assert.match(await status(page), new RegExp(`^${cross.groups[0].cells[name]} of `), code));
    }
    const kept = cross.groups[0].cells["full1 oracle1 real1"] + cross.groups[0].cells["full1 oracle0 real1"];
    await page.locator("#losses .loss-row", { hasText: "quest-256" }).locator("a[aria-label*='kept']").click();
    await eventually(async () => assert.match(await status(page), new RegExp(`^${kept} of `)));
    assert.equal(await page.locator("#losses h3", { hasText: "By task" }).count(), 1);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("V3: the casebook has the groups of a selector against full attention, and three answers side by side", async () => {
    const data = study();
    const { page, problems } = await open(data);
    const [losing] = data.arms.arms.map((arm, i) => ({ arm, i })).filter(({ arm }) => arm.selector).sort((a, b) => b.arm.against_full.lost - a.arm.against_full.lost);
    const lost = page.locator("[data-key=pair-lost]");
    assert.match(await lost.textContent(), new RegExp(`lost${losing.arm.against_full.lost}$`));
    await lost.click();
    await eventually(async () => assert.match(await status(page), new RegExp(`^${losing.arm.against_full.lost} of `)));
    for (const kind of ["both-right", "gained"]) if (losing.arm.against_full[kind === "gained" ? "gained" : "both"] > 0) assert.equal(await page.locator(`[data-key=pair-${kind}]`).count(), 1, kind);
    const names = await page.locator(".sample .side-answer > h4:first-child").allTextContents();
    assert.deepEqual(names, ["full", "oracle", losing.arm.arm.name]);
    assert.match(await page.locator(".sample .sides").textContent(), /Read [\d.]+ % of the evidence/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("A4: the picture marks its evidence, every arm beside it, and an address opens one", async () => {
    const data = study();
    const one = data.arms.pictures.find((each) => data.arms.arms[each.arm].arm.name === "moba-256" && each.row === 25);
    const { page, problems } = await open(data, { hash: `#run=${one.arm}&picture=25&at=picture` });
    assert.match(await page.locator("#picture h3").first().textContent(), /^moba-256 on niah_multivalue/);
    const large = page.locator("#picture .chart-holder svg").first();
    assert.equal(await large.locator("rect[stroke]").count(), one.evidence.length);
    assert.equal(await large.locator("rect[data-tip]").count(), one.layers.length);
    const shown = data.arms.pictures.filter((each) => each.row === 25).length;
    assert.equal(await page.locator("#picture .thumb").count(), shown);
    await page.locator("#picture .thumb", { hasText: "oracle" }).click();
    await eventually(async () => assert.match(await page.locator("#picture h3").first().textContent(), /^oracle on /));
    assert.match(page.url(), /picture=25/);
    await page.locator("#picture select").selectOption({ index: 0 });
    await eventually(async () => assert.ok(!page.url().includes("picture=25")));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("chips change what the figures show; lines can be put in and out", async () => {
    const { page, problems } = await open();
    for (const [id, chip, words] of [["coverage", "recall", /share of the evidence|evidence read/], ["frontier", "bytes an answer", /MiB|KiB/], ["layers", "joint", /100/]]) {
      const before = await page.locator(`#${id} svg.chart`).first().innerHTML();
      await page.locator(`#${id} .chips button`, { hasText: chip }).click();
      assert.notEqual(await page.locator(`#${id} svg.chart`).first().innerHTML(), before, id);
      assert.match(await page.locator(`#${id}`).textContent(), words);
    }
    const lines = () => page.locator("#curves .legend li").count();
    const shown = await lines();
    await page.locator("#curves .runs button[aria-pressed=false]").first().click();
    assert.equal(await lines(), shown + 1);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("each figure can be taken away", async () => {
    const { page, problems } = await open(study(), { permissions: ["clipboard-read", "clipboard-write"] });
    for (const id of kSections.slice(0, 7))
      for (const [item, form] of [["Copy CSV", /^[a-z_]+,[^\n]+\n[^\n]+/], ["Copy SVG", /^<svg/]]) {
        await page.locator(`#${id} .menu summary`).click();
        await page.locator(`#${id} .menu button`, { hasText: item }).click();
        await page.waitForFunction((figure) => document.querySelector(`#${figure} .copied`).textContent !== "", id);
        const text = await page.evaluate(() => navigator.clipboard.readText());
        assert.match(text, form, `${id} ${item}`);
        assert.ok(!text.includes("var(--"), id);
      }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("Q2: hostile names stay text", async () => {
    const data = study();
    const hostile = "</script><img src=x onerror=alert(1)>\u202e";
    const old = data.arms.arms[4].arm.name;
    data.arms.arms[4].arm.name = hostile;
    data.runs[4].name = hostile;
    for (const cross of data.arms.crosses) if (cross.real === old) cross.real = hostile;
    data.arms.budgets[0].selector = hostile;
    data.arms.verdict.sentences.push(hostile);
    const { page, problems } = await open(data, { hash: "#run=4" });
    assert.equal(await page.locator("img").count(), 0);
    assert.ok((await page.locator("#arms").textContent()).includes("<img src=x"));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("what is missing is left out: no oracle, no coverage, no pictures, no budgets", async () => {
    const data = study();
    Object.assign(data.arms, { crosses: [], budgets: [], pictures: [], covered: [], noise_floor: null });
    for (const arm of data.arms.arms) Object.assign(arm, { coverage: null, covered: 0, read_share: arm.arm.kind === "full" ? 1 : null, kv_bytes: 0, samples: { row: [], joint: [], recall: [], path: [], first_missing: [] } });
    const { page, problems } = await open(data);
    for (const id of ["losses", "coverage", "frontier", "budgets", "layers", "picture"]) assert.equal(await page.locator("#" + id).count(), 0, id);
    assert.equal(await page.locator("#arms tbody tr").count(), data.arms.arms.length);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("nothing has been answered yet", async () => {
    const data = study();
    for (const arm of data.arms.arms) {
      arm.score = null;
      delete arm.against_full;
    }
    const { page, problems } = await open(data);
    assert.equal(await page.locator("#arms tbody tr").count(), data.arms.arms.length);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a narrow window and print show everything", async () => {
    const { page, problems } = await open(study(), { viewport: { width: 380, height: 800 } });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px wider than the window`);
    await page.emulateMedia({ media: "print" });
    assert.equal((await page.pdf({ format: "A4" })).subarray(0, 4).toString(), "%PDF");
    assert.deepEqual(problems, []);
    await page.close();
  });

  for (const colorScheme of ["light", "dark"])
    test(`accessibility, ${colorScheme}`, async () => {
      const { page } = await open(study(), { colorScheme, hash: "#run=4&sample=1" });
      await page.evaluate((source) => (0, eval)(source), kAxe).catch(async () => page.addScriptTag({ content: kAxe }));
      const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const found = result.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
      assert.deepEqual(found, []);
      await page.close();
    });
});
