import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepInput, saved, toSignIn } from './sign-in-again.ts';

const shower = vi.fn();
const assign = vi.fn();
let stop: () => void;
/** What happens to the page's one form. */
let happens: (type: 'input' | 'submit') => void;

beforeEach(() => {
  const form: { dataset: { changed?: string } } = { dataset: {} };
  const matches: Record<string, () => boolean> = {
    'form[data-changed]': () => form.dataset.changed !== undefined,
    'form[data-changed=submit]': () => form.dataset.changed === 'submit',
  };
  const document = Object.assign(new EventTarget(), {
    form,
    querySelector: (selector: string) => (matches[selector]?.() ? form : null),
  });
  vi.stubGlobal('document', document);
  vi.stubGlobal('location', { pathname: '/keys', search: '', assign });
  happens = (type) => document.dispatchEvent(new Event(type));
  stop = keepInput(shower);
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test('a page without input opens the sign-in form', () => {
  toSignIn();
  expect(assign).toHaveBeenCalledWith('/sign-in?next=%2Fkeys');
});

test('a page with input stays, also while it is being saved', () => {
  happens('input');
  happens('submit');
  toSignIn();
  expect(shower).toHaveBeenCalledWith(true);
  expect(assign).not.toHaveBeenCalled();
});

test('a page whose input was saved opens the sign-in form', () => {
  happens('input');
  happens('submit');
  saved();
  toSignIn();
  expect(assign).toHaveBeenCalled();
});

test('a page with input stays if something else was saved', () => {
  happens('input');
  saved();
  toSignIn();
  expect(shower).toHaveBeenCalledWith(true);
});

test('a page stays if its user typed after the submission', () => {
  happens('input');
  happens('submit');
  happens('input');
  saved();
  toSignIn();
  expect(shower).toHaveBeenCalledWith(true);
  expect(assign).not.toHaveBeenCalled();
});
