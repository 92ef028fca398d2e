import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { GUIDES } from '#app/_features/guides/guides.ts';
import { expect, test } from '../test.ts';

const run = promisify(execFile);
/** Long enough for sends, which wait for the number's interval. */
const SLOW_MS = 120_000;

test('every command of the guides runs as it is shown', async ({ api, stack, request }) => {
  test.setTimeout(SLOW_MS * 3);
  const env = {
    ...{ NODE_ENV: 'production' as const, PATH: '/usr/local/bin:/usr/bin:/bin' },
    WIREBIRD_KEY: api.number.key,
  };
  let commands = 0;
  for (const { slug } of GUIDES) {
    const markdown = await (await request.get(`${stack.url}/docs/guides/${slug}.md`)).text();
    for (const [, command = ''] of markdown.matchAll(/```sh\n([\s\S]*?)\n```/g)) {
      commands += 1;
      const { stdout } = await run('bash', ['-ec', command], { env, timeout: SLOW_MS });
      // One command requests a message that does not exist. All others succeed, and some print only headers.
      const expected = command.includes('msg_unknown')
        ? '"code":"not_found"'
        : /"success":true|ratelimit|x-request-id/i;
      expect([slug, command, stdout]).toEqual([slug, command, expect.stringMatching(expected)]);
    }
  }
  expect(commands).toBeGreaterThan(12);
});

test('every link of the guides leads to a place that exists', async ({ page, stack }) => {
  const links = new Set<string>();
  for (const { slug } of GUIDES) {
    await page.goto(`${stack.url}/docs/guides/${slug}`);
    const found = page.locator('main a[href^="/"], .docs-contents a[href]');
    for (const link of await found.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href)))
      links.add(link);
  }
  const pages = Map.groupBy(links, (link) => link.split('#')[0] ?? '');
  for (const [address, all] of pages) {
    expect([address, (await page.goto(address))?.status()]).toEqual([address, 200]);
    const ids = new Set(await page.locator('[id]').evaluateAll((found) => found.map(({ id }) => id)));
    for (const link of all) {
      const place = new URL(link).hash.slice(1);
      expect([link, place === '' || ids.has(place)]).toEqual([link, true]);
    }
  }
});
