/** An icon's source without the weights that nothing here draws. */
declare function withoutUnusedWeights(source: string): string;
export = withoutUnusedWeights;
