import { create } from 'qrcode';
import { expect, test } from 'vitest';
import { drawQr } from './present.ts';

/** The dark squares that a drawing covers. */
function squares(path: string): Set<string> {
  const dark = new Set<string>();
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let step = 0; step < Number(width); step++) dark.add(`${Number(x) + step},${y}`);
  }
  return dark;
}

test('the drawing of a QR has exactly its dark squares', () => {
  const text = '2@AbCdEf/0123456789+==,xyz==,pqr==,1';
  const { size, data } = create(text, { errorCorrectionLevel: 'L' }).modules;
  const wanted = new Set<string>();
  for (let at = 0; at < size * size; at++) {
    if (data[at]) wanted.add(`${at % size},${Math.floor(at / size)}`);
  }
  const drawing = drawQr(text);
  expect(drawing.size).toBe(size);
  expect(squares(drawing.path)).toEqual(wanted);
});
