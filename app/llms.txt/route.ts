import { llmsText, markdownAnswer } from '#app/_features/reference/markdown.ts';

/** What assistants read first (https://llmstxt.org). */
export const GET = (): Response => markdownAnswer(llmsText());
