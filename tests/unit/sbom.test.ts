import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { billOfMaterials } from "@/scripts/sbom.mjs";

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));

it("names every package of production, and no other", async () => {
  const bill = await billOfMaterials();
  const listed = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)));
  const { dependencies } = read("package.json") as { dependencies: Record<string, string> };
  const wanted = Object.entries(dependencies).map(([name, version]) => `pkg:npm/${name}@${version}`);
  expect(wanted.filter((purl) => !listed.has(purl))).toEqual([]);

  const packages = Object.entries(read("package-lock.json").packages) as [
    string,
    { name?: string; version: string; dev?: true },
  ][];
  const locked = packages
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path, { name = path.split("node_modules/").at(-1), version }]) => `pkg:npm/${name}@${version}`);
  expect([...listed].sort()).toEqual([...new Set(locked)].sort());
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "paydesk" } } });
});
