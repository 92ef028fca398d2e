import type { QrDrawing } from '#server/dashboard/present.ts';

/** A QR code, with the empty edge that cameras need. */
export function QrImage({ qr, label, className }: { qr: QrDrawing; label: string; className: string }) {
  return (
    <svg
      viewBox={`-1 -1 ${qr.size + 2} ${qr.size + 2}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className={className}
    >
      <path d={qr.path} fill="#111" />
    </svg>
  );
}
