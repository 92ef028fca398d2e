import { expect, test } from 'vitest';
import { type Letter, letterHtml, letterText } from './letter.ts';

const LETTER: Letter = {
  title: 'Shop is unlinked',
  facts: [['Account', 'Heron & Sons']],
  paragraphs: ['It was removed on the phone.', 'For 2 numbers.\nNote: none'],
  todo: 'Link it again.',
  button: { label: 'Open the number', href: 'https://wirebird.example/numbers/num_1?a=1&b=2' },
  foot: 'Sent to members.',
};

test('the text has each part, and the address on a line of its own', () => {
  expect(letterText(LETTER)).toBe(`Shop is unlinked.

Account: Heron & Sons

It was removed on the phone.

For 2 numbers.
Note: none

What to do: Link it again.

Open the number:
https://wirebird.example/numbers/num_1?a=1&b=2

Sent to members.
`);
});

test('a part that is missing leaves no gap', () => {
  const { title, button } = LETTER;
  const short = { title, paragraphs: ['Why.'], button };
  expect(letterText(short)).toBe(`Shop is unlinked.\n\nWhy.\n\nOpen the number:\n${button.href}\n`);
  expect(letterHtml(short)).not.toContain('What to do');
});

test('what people write stays text in HTML', () => {
  const evil = `<script>alert(1)</script><img src="https://evil.example/x.png" onerror='x'>&amp;`;
  const html = letterHtml({
    title: evil,
    facts: [[evil, evil]],
    paragraphs: [evil],
    todo: evil,
    button: { label: evil, href: `https://wirebird.example/"><script>` },
    foot: evil,
  });
  expect(html).not.toMatch(/<script|<img|"><script/);
  // In the page's title, headline, both cells, paragraph, advice, button and foot.
  expect(html.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;&lt;img/g)).toHaveLength(8);
  expect(html).toContain('&amp;amp;');
});

test('HTML loads nothing and leads nowhere but to its button', () => {
  const addresses = letterHtml(LETTER).match(/https?:[^"' <]+/g);
  expect(addresses).toEqual(['https://wirebird.example/numbers/num_1?a=1&amp;b=2']);
});
