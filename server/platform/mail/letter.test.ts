import { expect, test } from 'vitest';
import { type Letter, letterHtml, letterText } from './letter.ts';

const LETTER: Letter = {
  title: 'Shop is logged out',
  facts: [['Account', 'Heron & Sons']],
  paragraphs: ['It was removed on the phone.', 'For 2 numbers.\nNote: none'],
  todo: 'Link it again.',
  button: { label: 'Open the number', href: 'https://wirebird.example/numbers/num_1?a=1&b=2' },
  foot: 'Sent to members.',
};

test('the text has each part, and the address on a line of its own', () => {
  expect(letterText(LETTER)).toBe(`Shop is logged out.

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

test('several steps stand below each other', () => {
  const letter = { ...LETTER, todo: '1. Link it.\n2. Send again.' };
  expect(letterText(letter)).toContain('What to do:\n1. Link it.\n2. Send again.\n\n');
  expect(letterHtml(letter)).toContain('<b>What to do:</b><br>1. Link it.<br>2. Send again.</p>');
});

test('a part that is missing leaves no gap', () => {
  const { title, button } = LETTER;
  const short = { title, paragraphs: ['Why.'], button };
  expect(letterText(short)).toBe(`Shop is logged out.\n\nWhy.\n\nOpen the number:\n${button.href}\n`);
  expect(letterHtml(short)).not.toContain('What to do');
});

test('a second address follows the button, and that of a section its advice', () => {
  const link = { label: 'Show refused requests', href: 'https://wirebird.example/requests?a=1&b=2' };
  const section = { title: 'One', note: 'Heron', text: 'It ended.', todo: 'Open it.', link };
  const letter = { title: 'Two', paragraphs: [], sections: [section], button: LETTER.button, link };
  expect(letterText(letter)).toBe(`Two.

One
Heron
It ended.
What to do: Open it.
Show refused requests:
${link.href}

Open the number:
${LETTER.button.href}

Show refused requests:
${link.href}
`);
  const hrefs = [...letterHtml(letter).matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
  const escaped = (href: string) => href.replaceAll('&', '&amp;');
  expect(hrefs).toEqual([link.href, LETTER.button.href, link.href].map(escaped));
});

test('what people write stays text in HTML', () => {
  const evil = `<script>alert(1)</script><img src="https://evil.example/x.png" onerror='x'>&amp;`;
  const html = letterHtml({
    title: evil,
    facts: [[evil, evil]],
    paragraphs: [evil],
    todo: evil,
    button: { label: evil, href: `https://wirebird.example/"><script>` },
    link: { label: evil, href: `https://wirebird.example/"><script>` },
    foot: evil,
  });
  expect(html).not.toMatch(/<script|<img|"><script/);
  // In the page's title, headline, both cells, paragraph, advice, button, link and foot.
  expect(html.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;&lt;img/g)).toHaveLength(9);
  expect(html).toContain('&amp;amp;');
});

test('HTML loads nothing and leads nowhere but to its button', () => {
  const addresses = letterHtml(LETTER).match(/https?:[^"' <]+/g);
  expect(addresses).toEqual(['https://wirebird.example/numbers/num_1?a=1&amp;b=2']);
});
