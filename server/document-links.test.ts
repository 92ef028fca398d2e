import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');
const read = (file: string) =>
  fs.readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '');

/** As GitHub makes them of headings. */
const anchorsOf = (file: string) =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link between documents leads to a file and a section that exist', () => {
  const links = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)].map(
      ([link, target = '', anchor]) => ({
        link: `${file}: ${link}`,
        to: target === '' ? file : path.join(path.dirname(file), target),
        anchor,
      }),
    ),
  );
  expect(links.length).toBeGreaterThan(100);
  const dangling = links.filter(
    ({ to, anchor }) =>
      !fs.existsSync(path.join(ROOT, to)) || (anchor !== undefined && !anchorsOf(to).includes(anchor)),
  );
  expect(dangling.map(({ link }) => link)).toEqual([]);
});
