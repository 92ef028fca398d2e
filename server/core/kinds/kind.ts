import type { z } from 'zod';
import type { builders } from '../request-fields.ts';

/** Each makes its field from the builders of `request-fields.ts`, so that a browser loads a kind without zod. */
type Fields = Record<string, (f: typeof builders) => z.ZodType>;

/** What a request of these fields carries. */
export type Values<F extends Fields> = z.output<z.ZodObject<{ [K in keyof F]: ReturnType<F[K]> }>>;

export interface MediaRule {
  /** A sample file of the kind: in `worker/sandbox/samples`, served by the sandbox. */
  sample: { name: string; mimeType: string };
  /** MIME types that a page may show; every other file is a download. */
  shown: readonly string[];
}

/** Everything that differs between kinds of message, except how a page shows it (`app/_features/kinds`). */
export interface Kind<F extends Fields> {
  /** The fields of a request besides `to`, in the order of a form. */
  fields: F;
  /** One line for lists; empty if only the kind can be shown. */
  preview: (content: Omit<Values<F>, 'url'>) => string;
  /** A request that can be sent as it is. `url` is the address of the kind's sample file. */
  example: (url: string) => Values<F>;
  /** For kinds with a `url`. */
  media?: MediaRule;
  /** For the OpenAPI document. */
  summary: string;
  description: string;
}

export const kind = <F extends Fields>(descriptor: Kind<F>): Kind<F> => descriptor;
