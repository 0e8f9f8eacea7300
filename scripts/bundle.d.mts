import type { Plugin } from "esbuild";

export function bundle(options?: { outfile?: string; plugins?: Plugin[] }): Promise<void>;

export function bundleCommands(): Promise<void>;

export function watchBundle(outfile: string, onBundled: () => void): Promise<() => Promise<void>>;
