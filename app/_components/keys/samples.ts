import type { MessageType } from '#server/core/message.ts';

export const LANGUAGES = ['curl', 'Node', 'Python', 'PHP'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Files that can be sent without any preparation, by kind. */
export interface SampleFiles {
  image: string;
  document: string;
  audio: string;
}

export interface SampleParams {
  /** `https://host/v1` */
  base: string;
  kind: MessageType;
  /** The body that is posted. */
  request: Fields;
  /** The key itself, once; otherwise the sample reads it from the environment. */
  key?: string;
}

type Fields = Readonly<Record<string, string | number | undefined>>;

/** An example of a kind's request. `to` is digits. */
export function exampleOf({
  kind,
  to,
  body,
  files,
}: {
  kind: MessageType;
  to: string;
  body: string;
  files: SampleFiles;
}): Fields {
  switch (kind) {
    case 'text':
      return { to, body };
    case 'image':
      return { to, url: files.image, caption: body };
    case 'document':
      return { to, url: files.document, filename: 'offer.pdf', caption: body };
    case 'location':
      return { to, latitude: 53.5563, longitude: 9.9218, name: 'Nordlicht Bikes', address: 'Hamburg' };
    case 'contact':
      return { to, contactName: 'Mia Sander', contactPhone: '4917604069031' };
    case 'audio':
      return { to, url: files.audio };
    default:
      return kind satisfies never;
  }
}

/** Code that sends a message of a kind. */
export function sample(language: Language, params: SampleParams): string {
  const url = `${params.base}/messages/${params.kind}`;
  const { request } = params;
  switch (language) {
    case 'curl':
      return curl(url, request, params.key);
    case 'Node':
      return node(url, request);
    case 'Python':
      return python(url, request);
    case 'PHP':
      return php(url, request);
    default:
      return language satisfies never;
  }
}

function curl(url: string, request: Fields, key: string | undefined): string {
  const json = JSON.stringify(request, null, 2)
    .split('\n')
    .map((line, index) => (index === 0 ? line : `  ${line}`))
    .join('\n')
    // In single quotes the shell changes nothing but the quote itself.
    .replaceAll("'", "'\\''");
  return [
    `curl ${url} \\`,
    `  -H "Authorization: Bearer ${key ?? '$WIREBIRD_KEY'}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '${json}'`,
  ].join('\n');
}

function fields(request: Fields, line: (name: string, value: string) => string, indent: string): string {
  return Object.entries(request)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => indent + line(name, JSON.stringify(value)))
    .join('\n');
}

function node(url: string, request: Fields): string {
  return `const res = await fetch("${url}", {
  method: "POST",
  headers: {
    "Authorization": \`Bearer \${process.env.WIREBIRD_KEY}\`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
${fields(request, (name, value) => `${name}: ${value},`, '    ')}
  }),
});
const { success, data, error } = await res.json();`;
}

function python(url: string, request: Fields): string {
  return `import os, requests

res = requests.post(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['WIREBIRD_KEY']}"},
    json={
${fields(request, (name, value) => `"${name}": ${value},`, '        ')}
    },
    timeout=90,
)
print(res.json())`;
}

function php(url: string, request: Fields): string {
  return `$ch = curl_init("${url}");
curl_setopt_array($ch, [
  CURLOPT_RETURNTRANSFER => true,
  CURLOPT_TIMEOUT => 90,
  CURLOPT_HTTPHEADER => [
    "Authorization: Bearer " . getenv("WIREBIRD_KEY"),
    "Content-Type: application/json",
  ],
  CURLOPT_POSTFIELDS => json_encode([
${fields(request, (name, value) => `"${name}" => ${value.replaceAll('$', '\\$')},`, '    ')}
  ]),
]);
echo curl_exec($ch);`;
}
