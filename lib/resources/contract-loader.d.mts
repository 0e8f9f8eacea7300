interface LoaderContext {
  resourcePath: string;
  getOptions(): { schemas?: boolean };
  addDependency(file: string): void;
  async(): (error: Error | null, script?: string) => void;
}

export default function contract(this: LoaderContext): void;
