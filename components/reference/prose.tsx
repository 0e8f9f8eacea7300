/** Text in which `backticks` mark code. */
export function Prose({ children }: { children: string }) {
  const parts = children.split("`");
  return (
    <p>
      {parts.map((part, index) => {
        const key = `${index} ${part}`;
        return index % 2 === 1 ? <code key={key}>{part}</code> : part;
      })}
    </p>
  );
}
