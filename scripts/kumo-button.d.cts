/** The source of buttons without tooltip code. */
declare function withoutTooltip(source: string): string;
export = withoutTooltip;
