import type { SampleFiles } from '#server/core/examples.ts';

/** The values that samples contain on one installation. */
export interface Facts {
  /** The API's address, such as `https://example.com/v1`. */
  base: string;
  files: SampleFiles;
}

/**
 * A page of the documentation. Each `sh` block must run unchanged in a shell where `WIREBIRD_KEY` is set
 * (`e2e/rest/guides.spec.ts`).
 */
export interface Guide {
  /** Its path below `/docs/guides/`. */
  slug: string;
  /** Its name in the table of contents. */
  name: string;
  title: string;
  lead: string;
  /** Additional search words, not shown. */
  words: string;
  /** Markdown below the title and the lead. */
  text: (facts: Facts) => string;
}

/** A block of code in Markdown. */
export const block = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
