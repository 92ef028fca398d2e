import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withGraph } from '../scripts/import-graph.ts';
import { DOMAINS, refusal } from '../scripts/import-rules.ts';

test('the picture of the architecture matches the imports (npm run docs:graph updates it)', () => {
  const text = fs.readFileSync(path.join(import.meta.dirname, '../CONTRIBUTING.md'), 'utf8');
  expect(withGraph(text)).toBe(text);
});

test.each([
  ['server/core/errors.ts', 'server/platform/log.ts'],
  ['server/core/errors.ts', 'node:fs'],
  ['server/platform/log.ts', 'server/messages/send-message.ts'],
  ['server/platform/mail/mailer.ts', 'server/platform/db/client.ts'],
  ['server/messages/queries/claim.ts', 'server/messages/send-message.ts'],
  ['server/messages/send-message.ts', 'server/rest/send.ts'],
  ['server/messages/send-message.ts', 'server/numbers/queries/holds.ts'],
  ['server/numbers/add-number.ts', 'server/accounts/queries/audit.ts'],
  ['server/rest/send.ts', 'server/messages/queries/claim.ts'],
  ['server/rest/send.ts', 'server/dashboard/router.ts'],
  ['server/cli/main.ts', 'worker/main.ts'],
  ['app/layout.tsx', 'worker/main.ts'],
  ['worker/numbers/dispatch/dispatcher.ts', 'whatsapp-web.js'],
])('%s may not import %s', (from, to) => {
  expect(refusal({ from, to })).toContain(from);
});

test.each([
  ['server/rest/send.ts', 'server/messages/send-message.ts'],
  ['server/messages/send-message.ts', 'server/messages/queries/claim.ts'],
  ['server/plans/keep-numbers.ts', 'server/numbers/queries/numbers.ts'],
  ['server/messages/queries/claim.ts', 'server/schema/index.ts'],
  ['worker/engine/library.ts', 'whatsapp-web.js'],
])('%s may import %s', (from, to) => {
  expect(refusal({ from, to })).toBeNull();
});

test('every use case takes its context first, or the transaction that it is part of', () => {
  const bare = DOMAINS.flatMap((domain) => {
    const folder = path.join(import.meta.dirname, domain);
    return fs.readdirSync(folder).flatMap((name) => {
      if (!/^[^.]+\.ts$/.test(name)) return [];
      const source = fs.readFileSync(path.join(folder, name), 'utf8');
      const found = source.matchAll(
        /^export (?:async )?function\*? (\w+)(?:<.*>)?\(\s*(?:\w+: Database|db: )/gm,
      );
      return [...found].map(([, use]) => `${domain}: ${use}`);
    });
  });
  // Written by transactions, and beside them by what has none.
  expect(bare).toEqual(['accounts: audit']);
});
