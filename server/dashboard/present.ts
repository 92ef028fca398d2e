import { create as createQr } from 'qrcode';
import { phoneText } from '#server/core/phone-text.ts';
import type { LinkingView } from '#server/numbers/link-number.ts';
import type { NumberView } from '#server/numbers/number-view.ts';

/** A number as pages show it, with its name and its phone number for reading. */
export type PresentedNumber = NumberView & {
  name: string;
  phoneText: string | null;
  replacementText: string | null;
};

export function presentNumber(view: NumberView): PresentedNumber {
  const text = view.phoneNumber === null ? null : phoneText(view.phoneNumber);
  const replacementText = view.replacementPhone === null ? null : phoneText(view.replacementPhone);
  return { ...view, name: view.label || text || 'Unnamed number', phoneText: text, replacementText };
}

/** A QR code as one SVG path in a square of `size` units. */
export interface QrDrawing {
  size: number;
  path: string;
}

export type PresentedLinking = Omit<LinkingView, 'qr'> & { qr: QrDrawing | null };

/** The code is drawn on the server, so that no page loads a library for it. */
export function presentLinking(view: LinkingView): PresentedLinking {
  return { ...view, qr: view.qr === null ? null : drawQr(view.qr) };
}

export function drawQr(text: string): QrDrawing {
  const { size, data } = createQr(text, { errorCorrectionLevel: 'L' }).modules;
  let path = '';
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!data[y * size + x]) continue;
      let width = 1;
      while (x + width < size && data[y * size + x + width]) width++;
      path += `M${x} ${y}h${width}v1h-${width}z`;
      x += width;
    }
  }
  return { size, path };
}
