import type { SampleFiles } from '#server/core/examples.ts';

/** What the samples of an installation contain. */
export interface Facts {
  /** The API's address, such as `https://example.com/v1`. */
  base: string;
  files: SampleFiles;
}

/**
 * A page of the documentation. Each `sh` block runs as it is in a shell where `WIREBIRD_KEY` is set (`e2e/rest/guides.spec.ts`).
 */
export interface Guide {
  /** Its place below `/docs/guides/`. */
  slug: string;
  /** In the contents. */
  name: string;
  title: string;
  lead: string;
  /** Found by the search as well, not shown. */
  words: string;
  /** Markdown below the title and the lead. */
  text: (facts: Facts) => string;
}

/** A block of code in Markdown. */
export const block = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
