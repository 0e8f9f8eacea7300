interface CodeBlockProps {
  label: string;
  className: string;
  children: string;
}

/** Focusable, so that it scrolls by keyboard too. */
export function CodeBlock({ label, className, children }: CodeBlockProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it
      tabIndex={0}
      className={`overflow-auto font-mono text-sm text-kumo-default ${className}`}
    >
      <pre className="whitespace-pre-wrap wrap-anywhere">{children}</pre>
    </section>
  );
}
