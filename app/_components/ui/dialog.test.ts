import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ConfirmDialog } from './confirm.tsx';
import { Dialog } from './dialog.tsx';

test('the server renders a page with an open dialog, which the browser then shows', () => {
  expect(renderToString(createElement(Dialog, { title: 'New API key' }))).toBe('');
  const question = { title: 'Revoke?', keep: 'Keep', submit: 'Revoke', ends: [], stays: [] };
  const asked = { ...question, onConfirm: async () => {}, onClose: () => {} };
  expect(renderToString(createElement(ConfirmDialog, asked))).toBe('');
});
