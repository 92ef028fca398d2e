import { expect, test } from 'vitest';
import { maskBody } from './mask-body.ts';

test('content, names, places, links and keys are masked; the recipient is shown', () => {
  const body = {
    ...{ to: '4915112345678', body: 'Secret text', caption: 'Secret caption', token: 'wb_secret' },
    ...{
      contactName: 'Secret',
      contactPhone: '49secret',
      name: 'Secret',
      latitude: 53.5,
      url: 'https://secret',
    },
    ...{ nested: { secret: 'secret' }, unknown: ['secret'], reference: 'order-7' },
  };
  const masked = maskBody(body);
  expect(masked.toLowerCase().replace('"secret":', '')).not.toContain('secret');
  expect(JSON.parse(masked)).toMatchObject({
    to: '4915112345678',
    reference: 'order-7',
    body: '[11 characters]',
    latitude: '[number]',
    nested: '[object]',
  });
});

test('a shown field of another shape is masked', () => {
  expect(JSON.parse(maskBody({ to: { body: 'Secret' }, events: [{ body: 'Secret' }] }))).toEqual({
    to: '[object]',
    events: '[object]',
  });
});

test('a recipient of a wrong form is shown, and a text or a name in its place is masked', () => {
  const shown = ['+49 (151) 123-456', '4915112345678@c.us', '491511234567-1400@g.us', '', '0049'];
  const masked = ['Hello Max', 'max@example.com', '49151 Max Muster', 'ünal', '4915112345678@c.us and more'];
  expect(JSON.parse(maskBody({ to: [...shown, ...masked] })).to).toEqual([
    ...shown,
    ...masked.map((text) => `[${text.length} characters]`),
  ]);
  expect(JSON.parse(maskBody({ to: 'Hello Max' })).to).toBe('[9 characters]');
});

test('it has at most 2,000 characters, whatever the request has', () => {
  const names = Array.from({ length: 5_000 }, (_, at) => [`${'n'.repeat(500)}${at}`, 'x'.repeat(500)]);
  expect(maskBody(Object.fromEntries(names)).length).toBeLessThanOrEqual(2_000);
  expect(maskBody({ to: 'x'.repeat(100_000) }).length).toBeLessThanOrEqual(2_000);
});
