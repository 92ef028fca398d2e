/** The kingfisher on its wire. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      aria-hidden="true"
      className="text-brand-solid"
    >
      <path
        d="M1.5 18.2c6.2 1.5 14.8 1.5 21 0"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinecap="round"
      />
      <path
        d="M3.1 15.9l3.6-4.5C8 6.6 11.2 3.4 14.9 3.4c2.2 0 4 1.4 4.6 3.4l3 1.3-2.9 1.1c-.2 4-3.2 7.1-7.2 7.1-2.3 0-4.2-.9-5.5-2.2z"
        fill="currentColor"
      />
      <path
        d="M19.45 9.4c-.3 3.9-3.2 6.9-7.1 6.9-.9 0-1.8-.1-2.5-.4 3.6-.5 5.8-3.4 6.1-6.4z"
        fill="var(--ember)"
      />
      <circle cx="15.9" cy="6.9" r="1" fill="var(--canvas)" />
    </svg>
  );
}
