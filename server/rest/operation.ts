import type { OpenApiMeta } from 'trpc-openapi';

type Meta = NonNullable<OpenApiMeta['openapi']>;
type Texts = { summary: string; description: string; successDescription: string };

/** Describes the operations of one group of the OpenAPI document. */
export const operationsOf =
  (tag: string) =>
  (method: Meta['method'], path: Meta['path'], texts: Texts): OpenApiMeta => ({
    openapi: { method, path, tags: [tag], errorResponses: [], ...texts },
  });
