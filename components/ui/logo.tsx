export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0b6156" />
      <path
        d="M10 25V8.5h7.2a5.6 5.6 0 0 1 0 11.2H14"
        fill="none"
        stroke="#fff"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="21.9" cy="24.2" r="2.3" fill="#7fe0cc" />
    </svg>
  );
}
