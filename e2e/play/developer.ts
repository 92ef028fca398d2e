import { requests } from '#app/_features/requests/words.ts';
import type { Stage, Story } from './stage.ts';
import { zoneAtHour } from './times.ts';

const EMAIL = 'ada@cedar.example';
const ZONE = zoneAtHour(2);
const LATE_MS = 90_000;

export const developer: Story = {
  name: 'developer',
  situation: `You are Ada, the developer of Cedar, a shop. Your backend sends messages through Wirebird.
It is two in the morning, and your phone rings: the backend has logged two requests that got 502.
The log holds each request and its answer. You want to know: did the customers get their messages, and what do I do now?`,
  env: { TIME_ZONE: ZONE },

  async play(stage) {
    await stage.person(EMAIL);
    const { instance, phone, key } = await stage.number(EMAIL, 'Cedar shop');
    const send = (to: string, body: string, id: string) => ({
      ...{ key, path: '/messages/text', body: { to, body } },
      headers: { 'idempotency-key': id },
    });
    await stage.call(send('4915550100001', 'Your order 4710 is ready.', 'order-4710'));
    await rule(stage, instance, 'wire', 'refuse');
    const refused = await stage.answer(send('4915550100002', 'Your order 4711 is ready.', 'order-4711'));
    await rule(stage, instance, 'after', 'hang');
    const silent = await stage.answer(send('4915550100003', 'Your order 4712 is ready.', 'order-4712'));
    if (refused.status !== 502 || silent.status !== 502)
      throw new Error(`not two times 502 but ${refused.status} and ${silent.status}`);

    const ids = [refused, silent].map(({ headers }) => headers.get('x-message-id') ?? '');
    for (const id of ids) await stage.answer({ key, path: `/messages/${id}` });
    const page = await stage.visit(EMAIL, ZONE);
    await stage.look(page, '/', 'overview');
    for (const id of ids) await stage.look(page, `/messages/${id}`, 'message');
    await page.goto('/requests');
    for (const { headers } of [refused, silent]) {
      const requestId = headers.get('x-request-id') ?? '';
      stage.notes.says('you', `You open Requests and search for the X-Request-Id ${requestId}.`);
      await page.getByLabel(requests.search).fill(requestId);
      const row = page.getByRole('row', { name: 'POST /messages/text' });
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
      await stage.notes.screen(page, 'requests');
      await row.getByRole('button').click();
      await page.getByRole('dialog').getByText(requestId).waitFor();
      await stage.notes.screen(page, 'request');
      await page.keyboard.press('Escape');
    }
    stage.notes.says('you', 'You open the reference at the error codes.');
    await stage.look(page, '/docs#errors', 'reference', { section: '#errors' });
    await stage.look(page, '/docs/guides/errors', 'guide');

    stage.notes.says('you', 'You let the backend repeat both requests, each with its own Idempotency-Key.');
    await stage.answer(send('4915550100002', 'Your order 4711 is ready.', 'order-4711'));
    await stage.answer(send('4915550100003', 'Your order 4712 is ready.', 'order-4712'));

    stage.notes.says('you', 'You wait a few minutes and ask again.');
    await stage.sandbox.reload({ phone });
    const [, unknown = ''] = ids;
    const from = performance.now();
    let status: string | undefined = 'unknown';
    while (status === 'unknown' && performance.now() - from < LATE_MS) {
      await page.waitForTimeout(500);
      status = (await stage.call({ key, path: `/messages/${unknown}` })).body.data?.status;
    }
    if (status === 'unknown') throw new Error('the message without an outcome got none');
    await stage.answer({ key, path: `/messages/${unknown}` });
    await stage.look(page, `/messages/${unknown}`, 'message');
    await stage.look(page, '/', 'overview');
  },
};

/** The sandbox does this to the number's next message. */
function rule({ stack }: Stage, instance: string, stage: string, action: string): Promise<unknown> {
  return stack.cli('sandbox', 'rule', '--instance', instance, '--stage', stage, '--action', action);
}
