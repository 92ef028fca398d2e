import type { ReferenceOperation } from '#server/rest/reference/operations.ts';

/** The response headers that the reference names for an endpoint, in its order. */
export function documentedHeaders({ answers }: Pick<ReferenceOperation, 'answers'>): string[] {
  return [...new Set(answers.flatMap(({ headers }) => headers))];
}

/** The documented headers that an answer has, as the reference spells them. */
export function answerHeaders(answer: Headers, documented: readonly string[]): [string, string][] {
  return documented.flatMap((name) => {
    const value = answer.get(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
}
