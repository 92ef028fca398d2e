import type { ExampleRequest } from './operations.ts';

export const SAMPLE_LANGUAGES = ['curl', 'TypeScript', 'Python', 'PHP'] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

/** A short program that makes one request and prints what was answered. It reads the key from `WIREBIRD_KEY`. */
export function requestSample(language: SampleLanguage, base: string, request: ExampleRequest): string {
  const url = `${base}${request.path}`;
  const headers = Object.entries({
    ...(request.body && { 'Content-Type': 'application/json' }),
    ...request.headers,
  });
  return WRITERS[language]({ ...request, url, headers: headers as [string, string][] });
}

type Written = Pick<ExampleRequest, 'method' | 'body'> & { url: string; headers: [string, string][] };

const WRITERS: Record<SampleLanguage, (request: Written) => string> = {
  curl: ({ method, url, headers, body }) =>
    [
      `curl -X ${method} "${url}"`,
      '-H "Authorization: Bearer $WIREBIRD_KEY"',
      ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
      ...(body
        ? [`-d '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ').replaceAll("'", "'\\''")}'`]
        : []),
    ].join(' \\\n  '),

  TypeScript: ({ method, url, headers, body }) => `const response = await fetch("${url}", {
  method: "${method}",
  headers: {
    "Authorization": \`Bearer \${process.env.WIREBIRD_KEY}\`,
${headers.map(([name, value]) => `    "${name}": "${value}",\n`).join('')}  },
${body ? `  body: JSON.stringify(${literal(body, JS, '  ')}),\n` : ''}});
const { data, error } = await response.json();
if (error) throw new Error(error);
console.log(data);`,

  Python: ({ method, url, headers, body }) => `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={
        "Authorization": f"Bearer {os.environ['WIREBIRD_KEY']}",
${headers.map(([name, value]) => `        "${name}": "${value}",\n`).join('')}    },
${body ? `    data=json.dumps(${literal(body, PYTHON, '    ')}).encode(),\n` : ''})
with urllib.request.urlopen(request) as response:
    print(json.load(response)["data"])`,

  PHP: ({ method, url, headers, body }) => `<?php
$context = stream_context_create(["http" => [
    "method" => "${method}",
    "header" => [
        "Authorization: Bearer " . getenv("WIREBIRD_KEY"),
${headers.map(([name, value]) => `        "${name}: ${value}",\n`).join('')}    ],
${body ? `    "content" => json_encode(${literal(body, PHP, '    ')}),\n` : ''}    "ignore_errors" => true,
]]);
$answer = json_decode(file_get_contents("${url}", false, $context), true);
print_r($answer["data"] ?? $answer["error"]);`,
};

interface Notation {
  object: [open: string, arrow: string, close: string];
  true: string;
  string: (text: string) => string;
}
const JS: Notation = { object: ['{', ': ', '}'], true: 'true', string: (text) => JSON.stringify(text) };
const PYTHON: Notation = { ...JS, true: 'True' };
const PHP: Notation = {
  object: ['[', ' => ', ']'],
  true: 'true',
  string: (text) => JSON.stringify(text).replaceAll('$', '\\$'),
};

/** A JSON value in a language's own notation. Example bodies have no null and no `false`. */
function literal(value: unknown, notation: Notation, indent: string): string {
  if (value === true) return notation.true;
  if (typeof value === 'string') return notation.string(value);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, notation, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [open, arrow, close] = notation.object;
  const within = `${indent}${indent.length % 4 === 0 ? '    ' : '  '}`;
  const lines = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${within}${JSON.stringify(name)}${arrow}${literal(one, notation, within)},\n`);
  return `${open}\n${lines.join('')}${indent}${close}`;
}

/** The sample with a key in the place where it reads one. */
export function withKey(language: SampleLanguage, sample: string, key: string): string {
  const [read, written] = KEY_READERS[language];
  return sample.replaceAll(read, written(key));
}

const KEY_READERS: Record<SampleLanguage, [read: string, written: (key: string) => string]> = {
  curl: ['$WIREBIRD_KEY', (key) => key],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the sample
  TypeScript: ['`Bearer ${process.env.WIREBIRD_KEY}`', (key) => `"Bearer ${key}"`],
  Python: [`f"Bearer {os.environ['WIREBIRD_KEY']}"`, (key) => `"Bearer ${key}"`],
  PHP: ['Bearer " . getenv("WIREBIRD_KEY")', (key) => `Bearer ${key}"`],
};
