import type { Plugin } from "esbuild";

export function bundle(options?: { entry?: string; outfile?: string; plugins?: Plugin[] }): Promise<void>;
