/** The source of buttons without what a tooltip needs. */
declare function withoutTooltip(source: string): string;
export = withoutTooltip;
