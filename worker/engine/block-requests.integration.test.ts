import { expect, test } from 'vitest';
import { temporaryEngine } from '#worker/testing/engine.ts';

test('the page fetches no picture, font, report or prefetch, and shows files that it creates itself', async () => {
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
    const prefetched = await new Promise<boolean>((resolve) => {
      const link = document.createElement('link');
      link.onload = () => resolve(true);
      link.onerror = () => resolve(false);
      link.rel = 'prefetch';
      link.href = '/sandbox/config?later';
      document.head.append(link);
    });
    const fetched = (await fetch('/sandbox/config?now')).ok;
    return {
      prefetched,
      fetched,
      own: await image(URL.createObjectURL(svg)),
      picture: await image('/picture.png'),
    };
  });
  expect(shown).toEqual({ prefetched: false, fetched: true, own: true, picture: false });
  await expect
    .poll(() => blocked.toSorted())
    .toEqual(['/picture.png', '/report', '/sandbox/config', '/some.woff2']);
});

test('the page’s workers load their scripts and fetch', async () => {
  await using engine = await temporaryEngine();
  const { client } = await engine.link('num_workers', '999000000002');
  const done = await client().pupPage?.evaluate(() => {
    const { build } = document.documentElement.dataset;
    const script = `
      const { status } = await fetch('${location.origin}/sandbox/config');
      const { findLinks } = await import('${location.origin}/sandbox/page/${build}/text.ts');
      postMessage([status, typeof findLinks]);`;
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), {
      type: 'module',
    });
    return new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = () => resolve('failed');
    });
  });
  expect(done).toEqual([200, 'function']);
});
