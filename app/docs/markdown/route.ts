import { markdownAnswer, referenceMarkdown } from '#app/_features/reference/markdown.ts';

/** `/docs.md` */
export const GET = (): Response => markdownAnswer(referenceMarkdown());
