import { expect, test } from 'vitest';
import { temporaryEngine } from './testing.ts';

test('the page fetches no picture, font or report, and shows the files that it makes itself', async () => {
  await using engine = await temporaryEngine();
  const { client } = await engine.link('num_lean', '999000000001');
  const page = client().pupPage;
  const blocked: string[] = [];
  page?.on('requestfailed', (request) => {
    if (request.failure()?.errorText.startsWith('net::ERR_BLOCKED_BY_CLIENT'))
      blocked.push(new URL(request.url()).pathname);
  });
  const shown = await page?.evaluate(async () => {
    const image = (src: string) =>
      new Promise<boolean>((resolve) => {
        const element = new Image();
        element.onload = () => resolve(true);
        element.onerror = () => resolve(false);
        element.src = src;
      });
    const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' });
    await new FontFace('Some', 'url(/some.woff2)').load().catch(() => {});
    await fetch('https://crashlogs.whatsapp.net/report', { method: 'POST' }).catch(() => {});
    return { own: await image(URL.createObjectURL(svg)), picture: await image('/picture.png') };
  });
  expect(shown).toEqual({ own: true, picture: false });
  await expect.poll(() => blocked.toSorted()).toEqual(['/picture.png', '/report', '/some.woff2']);
});
