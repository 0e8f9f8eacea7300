import { basename, dirname, join, resolve } from "node:path";
import { build } from "esbuild";

/** The build's loader for messages/<language>/compiled.ts: its folder's texts, compiled as messages/load.ts does it. */
export default function compiled() {
  const done = this.async();
  const folder = dirname(this.resourcePath);
  compile(join(folder, "../load.ts"), basename(folder), (file) => this.addDependency(file)).then(
    (script) => done(null, script),
    (error) => done(error),
  );
}

async function compile(entry, language, onFile) {
  const options = { bundle: true, write: false, metafile: true, platform: "node", format: "esm", logLevel: "silent" };
  const { outputFiles, metafile } = await build({ ...options, entryPoints: [entry] });
  for (const file of Object.keys(metafile.inputs)) onFile(resolve(file));
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  const { load } = await import(`data:text/javascript;base64,${code}`);
  // Browsers parse JSON faster than the same object in a script.
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(await load(language)))});`;
}
