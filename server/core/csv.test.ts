import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('a line separates its cells by commas and quotes special characters', () => {
  expect(csvLine(['Heron & Sons', 25, null, 'a, b', 'say "hi"', 'two\nlines', ' x'])).toBe(
    'Heron & Sons,25,,"a, b","say ""hi""","two\nlines"," x"\r\n',
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ['+49 151', "'+49 151"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t1', "'\t1"],
  ['  =1', "'  =1"],
  ['\uFF1D1', "'\uFF1D1"],
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'],
])('%j cannot become a formula', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`);
});

test('a number stays a number, and an equals sign inside a text stays unchanged', () => {
  expect(csvLine([-2, 'a=b'])).toBe('-2,a=b\r\n');
});
