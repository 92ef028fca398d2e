import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import Link from '#app/_components/ui/link.tsx';
import type { Guide } from '#app/_features/guides/guide.ts';
import { currentFacts, GUIDES, guidePath } from '#app/_features/guides/guides.ts';
import { Markdown } from '#app/_features/guides/markdown.tsx';
import { guides as texts } from '#app/_features/guides/words.ts';
import { DocsFrame } from '#app/_features/reference/docs-frame.tsx';

interface Props {
  params: Promise<{ guide: string }>;
}

async function guideOf({ params }: Props): Promise<Guide> {
  const { guide: slug } = await params;
  return GUIDES.find((guide) => guide.slug === slug) ?? notFound();
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await guideOf(props)).title };
}

export default async function GuidePage(props: Props) {
  const guide = await guideOf(props);
  const at = GUIDES.indexOf(guide);
  return (
    <DocsFrame current={guide.slug} markdown={`${guidePath(guide.slug)}.md`}>
      <article className="docs-guide">
        <div className="docs-head">
          <h1>{guide.title}</h1>
          <p>{guide.lead}</p>
        </div>
        <Markdown text={guide.text(currentFacts())} />
        <nav className="docs-turn" aria-label={texts.pages}>
          <Turn guide={GUIDES[at - 1]} label={texts.previous} />
          <Turn guide={GUIDES[at + 1]} label={texts.next} />
        </nav>
      </article>
    </DocsFrame>
  );
}

function Turn({ guide, label }: { guide: Guide | undefined; label: string }) {
  if (!guide) return <span />;
  return (
    <Link href={guidePath(guide.slug)}>
      <small>{label}</small>
      {guide.name}
    </Link>
  );
}
