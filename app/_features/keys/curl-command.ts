import type { MessageType } from '#server/core/message.ts';

export interface SampleParams {
  /** `https://host/v1` */
  base: string;
  kind: MessageType;
  /** The request body. */
  request: Fields;
}

export type Fields = Readonly<Record<string, string | number | undefined>>;

/** The request as one command, for the pages that show a request. */
export function curlCommand(
  { base, kind, request }: SampleParams,
  /** The API key, if it is shown; otherwise the command reads it from the environment. */
  { key = '$WIREBIRD_KEY', headers = [] }: { key?: string; headers?: string[] } = {},
): string {
  return [
    `curl ${base}/messages/${kind} \\`,
    ...[`Authorization: Bearer ${key}`, 'Content-Type: application/json', ...headers].map(
      (header) => `  -H "${header}" \\`,
    ),
    `  -d '${quotedJson(request, '  ')}'`,
  ].join('\n');
}

/** JSON in single quotes, where the shell interprets only the quote itself. */
export function quotedJson(request: Fields, indent: string): string {
  return JSON.stringify(request, null, 2).replaceAll('\n', `\n${indent}`).replaceAll("'", "'\\''");
}
