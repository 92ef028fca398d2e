import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const { phoneOf } = require('../dist/nodes/shared/phone.js') as { phoneOf(text: string): string };
const { certain, unclear } = require('../../testing/phones.json') as {
  certain: [text: string, digits: string][];
  unclear: string[];
};

test('the digits of a number are sent where it is certain whose number it is', () => {
  for (const [text, digits] of certain) assert.equal(phoneOf(text), digits);
});

test('anything else is sent as it is, so that Wirebird refuses it', () => {
  for (const text of [...unclear, '120363041234561157@g.us']) assert.equal(phoneOf(text), text);
});
