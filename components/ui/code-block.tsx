interface CodeBlockProps {
  /** What it shows, for screen readers. */
  label: string;
  className: string;
  children: string;
}

/** A text of machines, which scrolls in its own frame: by keyboard too, so it can have the focus. */
export function CodeBlock({ label, className, children }: CodeBlockProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className={`overflow-auto font-mono text-sm text-kumo-default ${className}`}
    >
      <pre className="whitespace-pre-wrap wrap-anywhere">{children}</pre>
    </section>
  );
}
