import { expect, test } from 'vitest';
import { CSV_ROWS_MAX, csvFile, csvLine } from './csv.ts';

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
  ['Heron; =1+1;', "Heron;' =1+1;"],
  ["x;=cmd|' /C calc'!A0;", "x;'=cmd|' /C calc'!A0;"],
  ['two\n=1', '"two\n\'=1"'],
  ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'],
])('%j cannot become a formula', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`);
});

test('a number stays a number, and an equals sign inside a text stays unchanged', () => {
  expect(csvLine([-2, 'a=b'])).toBe('-2,a=b\r\n');
});

test('a file has a head, its rows, and a last line that says what is missing', async () => {
  const pages = async function* () {
    for (let n = 0; n < 101; n += 1) yield Array.from({ length: 1000 }, (_, row) => n * 1000 + row);
  };
  const lines: string[] = [];
  for await (const line of csvFile(['n'], pages(), (row) => [row])) lines.push(line);
  expect(lines.slice(0, 2)).toEqual(['\uFEFFn\r\n', '0\r\n']);
  expect(lines).toHaveLength(CSV_ROWS_MAX + 2);
  expect(lines.at(-2)).toBe(`${CSV_ROWS_MAX - 1}\r\n`);
  expect(lines.at(-1)).toMatch(/^"Only the newest 100,000 rows\./);
});
