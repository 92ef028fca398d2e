/** A drawing in place of a map, so that no tile server learns the place. */
export function PlaceMap({ latitude, longitude }: { latitude: number; longitude: number }) {
  return (
    <svg
      preserveAspectRatio="xMidYMid slice"
      viewBox="0 0 280 100"
      role="img"
      aria-label={`Map: ${latitude}, ${longitude}`}
      className="block h-[94px] w-full"
    >
      <rect width="280" height="100" fill="oklch(0.93 0.012 110)" />
      <path d="M0 70 Q70 52 118 74T280 58V100H0z" fill="oklch(0.88 0.04 225)" />
      <rect x="20" y="8" width="52" height="34" rx="3" fill="oklch(0.89 0.05 140)" />
      <g stroke="#fff" strokeLinecap="round" fill="none">
        <path d="M-5 54 285 34" strokeWidth="9" />
        <path d="M96-5 128 105M196-5 214 105" strokeWidth="7" />
        <path d="M0 20 280 8M150 0l8 48M240 0l6 40" strokeWidth="3.5" />
      </g>
      <g fill="oklch(0.85 0.012 90)">
        <rect x="106" y="14" width="36" height="18" rx="2" />
        <rect x="166" y="52" width="30" height="14" rx="2" />
        <rect x="220" y="14" width="16" height="14" rx="2" />
        <rect x="136" y="56" width="20" height="12" rx="2" />
      </g>
      <path d="M158 52c-8-9-12-14-12-20a12 12 0 0 1 24 0c0 6-4 11-12 20z" fill="oklch(0.58 0.19 25)" />
      <circle cx="158" cy="32" r="4.6" fill="#fff" />
    </svg>
  );
}
