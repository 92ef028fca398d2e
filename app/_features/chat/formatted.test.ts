import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { formatted } from './formatted.tsx';

const html = (text: string) =>
  renderToStaticMarkup(createElement('p', null, formatted(text))).replace(/ class="[^"]*"/g, '');

test('formatting marks look as in WhatsApp, also when nested', () => {
  expect(html('a *b* _c_ ~d~ ```e *f*```')).toBe('<p>a <b>b</b> <i>c</i> <s>d</s> <code>e *f*</code></p>');
  expect(html('*very _much_ so*')).toBe('<p><b>very <i>much</i> so</b></p>');
});

test('text that only resembles a mark stays unchanged', () => {
  for (const text of ['2*3*4', 'snake_case_name', '* not *', 'a * b', '*over\nlines*', '**', '~'])
    expect(html(text)).toBe(`<p>${text}</p>`);
});
