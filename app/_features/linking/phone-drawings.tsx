import type { ReactNode } from 'react';

const TEXT = { fontFamily: 'var(--sans)', letterSpacing: 0 } as const;

/** The frame of a small phone, cut off at the bottom. */
function PhoneFrame({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 132 148"
      aria-hidden="true"
      className="h-auto max-h-[232px] w-[92px] shrink-0 rounded-3 border border-line-soft bg-sunken pt-2 md:w-full md:pt-3"
    >
      <rect
        x="6"
        y="2"
        width="120"
        height="170"
        rx="18"
        fill="var(--raised)"
        stroke="var(--line-strong)"
        strokeWidth="1.5"
      />
      <rect x="52" y="9" width="28" height="5" rx="2.5" fill="var(--line-strong)" />
      {children}
    </svg>
  );
}

/** Marks where to tap. */
function Tap({ x, y }: { x: number; y: number }) {
  return (
    <>
      <circle cx={x} cy={y} r="10" fill="var(--brand-solid)" opacity=".18" />
      <circle cx={x} cy={y} r="5" fill="var(--brand-solid)" opacity=".55" />
    </>
  );
}

export function MenuDrawing({ kind }: { kind: 'android' | 'iphone' }) {
  const rows = kind === 'android' ? [60, 86, 112, 138] : [58, 80];
  return (
    <PhoneFrame>
      <text x="18" y="34" fontSize="10" fontWeight="600" fill="var(--ink)" style={TEXT}>
        {kind === 'android' ? 'Chats' : 'Settings'}
      </text>
      {rows.map((y) => (
        <g key={y}>
          <circle cx="26" cy={y} r="8" fill="var(--mute-bg)" />
          <rect x="40" y={y - 6} width="46" height="6" rx="3" fill="var(--mute-bg)" />
          <rect x="40" y={y + 4} width="66" height="5" rx="2.5" fill="var(--line-soft)" />
        </g>
      ))}
      {kind === 'android' ? (
        <>
          <g fill="var(--ink-2)">
            <circle cx="112" cy="27" r="1.4" />
            <circle cx="112" cy="31" r="1.4" />
            <circle cx="112" cy="35" r="1.4" />
          </g>
          <rect
            x="48"
            y="26"
            width="70"
            height="68"
            rx="7"
            fill="var(--overlay)"
            stroke="var(--line-strong)"
          />
          <rect x="56" y="37" width="40" height="6" rx="3" fill="var(--mute-bg)" />
          <Chosen x={51} y={47} width={64} />
          <rect x="56" y="78" width="34" height="6" rx="3" fill="var(--mute-bg)" />
          <Tap x={96} y={69} />
        </>
      ) : (
        <>
          <Chosen x={14} y={96} width={104} />
          <rect x="18" y="128" width="60" height="6" rx="3" fill="var(--mute-bg)" />
          <Tap x={98} y={112} />
        </>
      )}
    </PhoneFrame>
  );
}

function Chosen({ x, y, width }: { x: number; y: number; width: number }) {
  return (
    <>
      <rect x={x} y={y} width={width} height="21" rx="5" fill="var(--brand-bg)" stroke="var(--brand-line)" />
      <text x={x + 4} y={y + 13.5} fontSize="8.2" fontWeight="600" fill="var(--brand-fg)" style={TEXT}>
        Linked devices
      </text>
    </>
  );
}

export function DeviceDrawing() {
  return (
    <PhoneFrame>
      <text x="66" y="34" fontSize="9" fontWeight="600" fill="var(--ink)" textAnchor="middle" style={TEXT}>
        Linked devices
      </text>
      <rect
        x="44"
        y="48"
        width="44"
        height="28"
        rx="4"
        fill="none"
        stroke="var(--ink-off)"
        strokeWidth="1.5"
      />
      <path d="M38 80h56" stroke="var(--ink-off)" strokeWidth="1.5" strokeLinecap="round" />
      <rect x="34" y="89" width="64" height="5" rx="2.5" fill="var(--line-soft)" />
      <rect x="20" y="106" width="92" height="22" rx="11" fill="var(--brand-solid)" />
      <text
        x="66"
        y="120"
        fontSize="8.6"
        fontWeight="600"
        fill="var(--on-brand)"
        textAnchor="middle"
        style={TEXT}
      >
        Link a device
      </text>
      <Tap x={100} y={128} />
    </PhoneFrame>
  );
}

/** A fake QR code: three corners and noise. */
const PATTERN = Array.from({ length: 21 * 21 }, (_, at) => [at % 21, Math.floor(at / 21)] as const).filter(
  ([x, y]) => {
    const corner = (left: number, top: number) => {
      const [dx, dy] = [x - left, y - top];
      if (dx < 0 || dy < 0 || dx > 6 || dy > 6) return null;
      const edge = Math.max(Math.abs(dx - 3), Math.abs(dy - 3));
      return edge === 3 || edge < 2;
    };
    const inCorner = corner(0, 0) ?? corner(14, 0) ?? corner(0, 14);
    return inCorner ?? (x * 7 + y * 13 + x * y * 3) % 5 < 2;
  },
);

export function ScanDrawing() {
  return (
    <PhoneFrame>
      <rect x="9" y="20" width="114" height="150" fill="oklch(0.24 0.01 240)" />
      <path
        d="M36 62v-9a5 5 0 0 1 5-5h9M82 48h9a5 5 0 0 1 5 5v9M96 94v9a5 5 0 0 1-5 5h-9M50 108h-9a5 5 0 0 1-5-5v-9"
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
      <g transform="translate(47 59) scale(1.81)">
        <rect x="-1" y="-1" width="23" height="23" rx="1" fill="#fff" />
        <path d={PATTERN.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('')} fill="#111" />
      </g>
      <text x="66" y="132" fontSize="8.4" fontWeight="500" fill="#fff" textAnchor="middle" style={TEXT}>
        Point at the code
      </text>
    </PhoneFrame>
  );
}

export function CodeDrawing() {
  const boxes = [16, 28.6, 41.2, 53.8, 68.4, 81, 93.6, 106.2];
  const typed = 'K7QD2';
  return (
    <PhoneFrame>
      <text x="66" y="34" fontSize="9" fontWeight="600" fill="var(--ink)" textAnchor="middle" style={TEXT}>
        Enter code
      </text>
      <rect x="30" y="46" width="72" height="5" rx="2.5" fill="var(--line-soft)" />
      {boxes.map((x, index) => (
        <g key={x}>
          <rect
            x={x}
            y="66"
            width="10.5"
            height="15"
            rx="2.5"
            fill={typed[index] ? 'var(--brand-bg)' : 'var(--mute-bg)'}
            stroke={typed[index] ? 'var(--brand-line)' : 'var(--line)'}
          />
          {typed[index] && (
            <text
              x={x + 5.25}
              y="76.5"
              fontSize="8"
              fontWeight="600"
              fill="var(--brand-fg)"
              textAnchor="middle"
              style={TEXT}
            >
              {typed[index]}
            </text>
          )}
        </g>
      ))}
      <rect x="40" y="98" width="52" height="5" rx="2.5" fill="var(--line-soft)" />
    </PhoneFrame>
  );
}
