interface BillOfMaterials {
  bomFormat: string;
  metadata: { component: { name: string } };
  components: { purl: string }[];
}

export function billOfMaterials(): Promise<BillOfMaterials>;
