// Bundles the page into one HTML file that the program embeds: data/report/page.html.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const bundled = await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: "es2022",
  legalComments: "inline",
});
const script = bundled.outputFiles[0].text.replaceAll("</script", "<\\/script");
const style = (
  await build({ entryPoints: ["src/style.css"], bundle: true, minify: true, write: false, loader: { ".woff2": "dataurl" }, legalComments: "inline" })
).outputFiles[0].text;
const page = readFileSync("src/page.html", "utf8")
  .replace("/*STYLE*/", () => style)
  .replace("/*SCRIPT*/", () => script);
mkdirSync("../data/report", { recursive: true });
writeFileSync("../data/report/page.html", page);
