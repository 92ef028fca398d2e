import type { Page } from 'playwright/test';

/**
 * The fields and chosen segments of a page whose edge has a contrast of less than 3:1 with the inside or with what is
 * around it. WCAG 1.4.11 requires it, and axe does not check it.
 */
export function faintEdges(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (!canvas) throw new Error('no canvas');
    const luminance = (colour: string): number => {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
        value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one: string, other: string): number => {
      const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
      return (lighter + 0.05) / (darker + 0.05);
    };
    const isClear = (colour: string) => colour === 'transparent' || / 0\)$/.test(colour);
    const fillOf = (element: Element | null): string => {
      for (let at = element; at; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        if (!isClear(backgroundColor)) return backgroundColor;
      }
      return 'white';
    };
    const fields = document.querySelectorAll<HTMLElement>(
      'input:enabled:not([type=checkbox], [type=radio], [type=range], [type=hidden], [type=file]), textarea:enabled, [role=radiogroup] :checked + span',
    );
    return [...fields].flatMap((field) => {
      // A field with an icon or a button has its edge around both.
      const box = [field, field.parentElement].find(
        (element) => element && getComputedStyle(element).borderTopWidth !== '0px',
      );
      if (!box?.checkVisibility()) return [];
      const edge = getComputedStyle(box).borderTopColor;
      const least = Math.min(contrast(edge, fillOf(box)), contrast(edge, fillOf(box.parentElement)));
      const name =
        field.getAttribute('aria-label') ?? field.getAttribute('name') ?? (field.id || field.textContent);
      return least < 3 ? [`${name}: ${least.toFixed(2)}:1`] : [];
    });
  });
}
