const shapes = {
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M7 7l10 10M17 7L7 17",
  clock: "M12 7v5l3 2M12 3a9 9 0 100 18 9 9 0 000-18",
  spinner: "M12 3a9 9 0 109 9",
  bank: "M4 10h16L12 5zM6 10v7M10 10v7M14 10v7M18 10v7M4 19h16",
  pause: "M9 7v10M15 7v10",
  question: "M9 9a3 3 0 114 2.8c-.7.3-1 .8-1 1.7M12 17v.01",
  lock: "M7 11V8a5 5 0 0110 0v3M5 11h14v9H5z",
} as const;

export type Shape = keyof typeof shapes;

/** Decorative: hidden from screen readers. */
export function Icon({ shape, size = 28 }: { shape: Shape; size?: number }) {
  return (
    <svg
      className={shape === "spinner" ? "spin" : undefined}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[shape]} />
    </svg>
  );
}
