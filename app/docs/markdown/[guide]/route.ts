import { GUIDES, guideMarkdown } from '#app/_features/guides/guides.ts';
import { markdownAnswer } from '#app/_features/reference/markdown.ts';

/** `/docs/guides/<guide>.md` */
export async function GET(_: Request, { params }: { params: Promise<{ guide: string }> }): Promise<Response> {
  const { guide: slug } = await params;
  const guide = GUIDES.find((one) => one.slug === slug);
  return guide
    ? markdownAnswer(guideMarkdown(guide))
    : new Response('There is no such guide.\n', { status: 404 });
}
