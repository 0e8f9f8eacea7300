// A preload for tests: when the process ends, writes the files of the CommonJS modules that it has loaded.
import { writeFileSync } from "node:fs";
import Module from "node:module";

process.on("exit", () => writeFileSync(process.env.LOADED_MODULES ?? "", Object.keys(Module._cache).join("\n")));
