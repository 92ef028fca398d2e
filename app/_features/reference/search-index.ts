import { GUIDES, guideMarkdown, guidePath } from '#app/_features/guides/guides.ts';
import { ANSWER_HEADERS, ERROR_GUIDE } from '#server/rest/error-guide.ts';
import { EVENT_MEANINGS } from '#server/rest/reference/events.ts';
import { anchorOf } from '#server/rest/reference/operations.ts';
import { currentReference } from '#server/rest/reference/reference.ts';

/** One result of the documentation's search. */
export interface DocsEntry {
  href: string;
  title: string;
  /** A second line. */
  about: string;
  /** Additional search words, not shown. */
  words: string;
}

/** Everything that the documentation's search finds. */
export function searchIndex(): DocsEntry[] {
  const { groups, requestHeaders } = currentReference();
  const operations = groups.flatMap((group) => group.operations);
  const codes = ERROR_GUIDE.flatMap(({ codes: names, meaning, status }) =>
    names.map((code) => ({ code, meaning, status })),
  );
  return [
    ...operations.map(({ anchor, title, method, path, description, body, query }) => ({
      href: `/docs#${anchor}`,
      title,
      about: `${method} /v1${path}`,
      words: `${description} ${[...body, ...query].map(({ name }) => name).join(' ')}`,
    })),
    ...GUIDES.flatMap((guide) => [
      {
        href: guidePath(guide.slug),
        title: guide.title,
        about: guide.lead,
        words: `${guide.name} ${guide.words}`,
      },
      ...headingsOf(guideMarkdown(guide)).map((heading) => ({
        href: `${guidePath(guide.slug)}#${anchorOf(heading)}`,
        title: heading.replaceAll('`', ''),
        about: guide.title,
        words: '',
      })),
    ]),
    // The link leads to the first explanation of a code.
    ...codes
      .filter(({ code }, at) => codes.findIndex((other) => other.code === code) === at)
      .map(({ code, meaning, status }) => ({
        href: `/docs#error-${code}`,
        title: code,
        about: meaning,
        words: String(status),
      })),
    ...requestHeaders.map(({ name, description }) => headerEntry('request-header', name, description ?? '')),
    ...Object.entries(ANSWER_HEADERS).map(([name, meaning]) => headerEntry('header', name, meaning)),
    ...Object.entries(EVENT_MEANINGS).map(([name, meaning]) => headerEntry('event', name, meaning)),
  ];
}

const headerEntry = (anchor: string, name: string, meaning: string): DocsEntry => ({
  href: `/docs#${anchor}-${anchorOf(name)}`,
  title: name,
  about: meaning.replaceAll('`', ''),
  words: '',
});

const headingsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
