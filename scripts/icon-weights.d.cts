/** An icon's source without the weights that Paydesk does not use. */
declare function withoutUnusedWeights(source: string): string;
export = withoutUnusedWeights;
