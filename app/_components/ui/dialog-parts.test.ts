import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import OpenConfirm from './confirm-parts.tsx';
import OpenDialog from './dialog-parts.tsx';

test('the server renders a page with an open dialog, which the browser then shows', () => {
  expect(renderToString(createElement(OpenDialog, { title: 'New API key' }))).toBe('');
  const question = { title: 'Revoke?', keep: 'Keep', submit: 'Revoke', ends: [], stays: [] };
  const asked = { ...question, onConfirm: async () => {}, onClose: () => {} };
  expect(renderToString(createElement(OpenConfirm, asked))).toBe('');
});
