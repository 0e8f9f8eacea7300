/** Made by scripts/build.mjs: every route.ts below app/, bundled, so that requests go round the framework's route layer. */
declare module "virtual:routes" {
  export const routes: { path: string; module: Record<string, unknown> }[];
}
