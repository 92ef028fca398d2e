/** The part of Bruno's own parser that the tests use. The parser has no types. */
declare module '@usebruno/lang' {
  interface Named {
    name: string;
    value: string;
    secret?: boolean;
  }
  export function bruToJsonV2(text: string): {
    meta: { name: string };
    http: { method: string; url: string };
    headers?: Named[];
    body?: { json?: string };
  };
  export function bruToEnvJsonV2(text: string): { variables: Named[] };
  export function collectionBruToJson(text: string): { auth: { bearer: object } };
}
