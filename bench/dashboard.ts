import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright';
import postgres from 'postgres';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { resolveBrowser } from '#worker/engine/browser.ts';
import { signInByForm } from '../e2e/sign-in.ts';
import { startStack } from '../e2e/stack.ts';
import { BENCH_EMAIL, BENCH_PASSWORD, linkNumber } from './link-number.ts';
import { summarise } from './statistics.ts';

const MESSAGES = 50_000;
const NEWS = 40;
/** The limits, in ms. */
const INTERACTION_MS = 100;
const LIVE_MS = 500;

/**
 * The messages page of an account with 50,000 messages, all loaded into the list. Measures each interaction
 * until its next paint, as the browser reports it, and the time from the commit of a new message to its row, by
 * one clock, because database and browser share the machine.
 */
export async function benchDashboard() {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-bench-dashboard-'));
  const cluster = await ensurePostgres(path.join(directory, 'postgres'), { port: 0 });
  const sql = postgres(cluster.url, { max: 1, onnotice: () => {} });
  const stack = await startStack({ env: { DATABASE_URL: cluster.url } });
  const { executablePath, args, env } = await resolveBrowser({ dataDir: directory });
  const browser = await chromium.launch({ executablePath, args, env });
  try {
    const { instance } = await linkNumber(stack);
    await fill(sql, instance, MESSAGES);
    const page = await browser.newPage({ baseURL: stack.url, viewport: { width: 1440, height: 900 } });
    await signInByForm(page, BENCH_EMAIL, BENCH_PASSWORD);
    await page.goto('/messages');
    const rows = await readAll(page);
    const interactions = summarise(await interact(page));
    const live = summarise(await follow(page, sql));
    return {
      rows,
      interactions,
      live,
      ratios: { interactions: interactions.max / INTERACTION_MS, live: live.max / LIVE_MS },
    };
  } finally {
    await browser.close();
    await stack.stop();
    await sql.end();
    await cluster.release();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Messages of the last weeks, in every final state. */
export async function fill(sql: postgres.Sql, numberId: string, count: number): Promise<void> {
  await sql`
    insert into messages (id, account_id, number_id, type, recipient, content, status, lane, deadline_at,
      media_status, sent_at, settled_at, created_at)
    select 'msg_bench' || lpad(n::text, 20, '0'), account_id, id, 'text', (4915200000000 + n % 5000) || '@c.us',
      jsonb_build_object('type', 'text', 'body', 'Your bike ' || n || ' is ready. Pick it up any day until 18:00.'),
      (array['read', 'delivered', 'sent', 'failed'])[1 + n % 4], 'async', now(), 'none',
      now() - (${count} - n) * interval '30 seconds', now() - (${count} - n) * interval '30 seconds',
      now() - (${count} - n) * interval '30 seconds'
    from numbers, generate_series(1, ${count}::int) n where id = ${numberId}`;
  await sql`analyze messages`;
}

const LIST = 'section[aria-label="List of messages"]';

/** Scrolls to the end of the list until nothing more loads; returns the number of rows. */
async function readAll(page: Page): Promise<number> {
  await page.locator(`${LIST} tbody tr`).first().waitFor();
  const table = page.locator(`${LIST} table`);
  await page.evaluate((list) => {
    const down = () => {
      const element = document.querySelector(list);
      if (element) element.scrollTop = element.scrollHeight;
      if (document.querySelector(`${list} table`)?.getAttribute('aria-rowcount') === '-1')
        requestAnimationFrame(down);
    };
    down();
  }, LIST);
  await page.locator(`${LIST} table:not([aria-rowcount="-1"])`).waitFor({ timeout: 600_000 });
  return Number(await table.getAttribute('aria-rowcount')) - 1;
}

/** Uses the page as a person would; returns how long each interaction took until its next paint, in ms. */
async function interact(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const seen = new Map<number, number>();
    Object.assign(window, { interactions: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
        if (entry.interactionId)
          seen.set(entry.interactionId, Math.max(seen.get(entry.interactionId) ?? 0, entry.duration));
      // The shortest duration that a browser reports.
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  const row = (at: number) => page.locator(`${LIST} tbody tr[aria-rowindex]`).nth(at);
  const settle = () => page.waitForTimeout(300);
  await page.locator(LIST).evaluate((list) => list.scrollTo({ top: list.scrollHeight / 2 }));
  await settle();
  for (const at of [14, 16, 18, 20]) {
    await row(at).click();
    await settle();
  }
  for (let times = 0; times < 10; times++) {
    await page.keyboard.press('ArrowDown');
    await settle();
  }
  await page.keyboard.press('/');
  await page.keyboard.type('bike 4999', { delay: 120 });
  await settle();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await settle();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('bike', { delay: 120 });
  await settle();
  await page.keyboard.press('Escape');
  await settle();
  return page.evaluate(() => [
    ...(window as unknown as { interactions: Map<number, number> }).interactions.values(),
  ]);
}

/** The time from the commit of a new message to its row, in ms. */
async function follow(page: Page, sql: postgres.Sql): Promise<number[]> {
  await page.goto('/messages');
  await page.locator(`${LIST} tbody tr`).first().waitFor();
  await page.getByText('Auto-updating', { exact: true }).first().waitFor();
  const times: number[] = [];
  for (let change = 0; change < NEWS; change++) {
    const body = `Live message ${change} of these`;
    const seen = page.evaluate(
      ([list, text]) =>
        new Promise<number>((resolve) => {
          const look = () => {
            if (!document.querySelector(list ?? '')?.textContent?.includes(text ?? '')) return;
            observer.disconnect();
            resolve(performance.timeOrigin + performance.now());
          };
          const observer = new MutationObserver(look);
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
          look();
        }),
      [LIST, body],
    );
    // The statement is its own transaction: it commits after this clock was read.
    const [row] = await sql<{ at: number }[]>`
      insert into messages (id, account_id, number_id, type, recipient, content, status, lane, deadline_at,
        media_status, sent_at)
      select ${`msg_live${change}`}, account_id, id, 'text', '4915228817386@c.us',
        jsonb_build_object('type', 'text', 'body', ${body}::text), 'sent', 'async', now(), 'none', now()
      from numbers limit 1
      returning extract(epoch from clock_timestamp())::float8 * 1000 as at`;
    times.push((await seen) - (row?.at ?? Number.NaN));
  }
  return times;
}
