import Link from '#app/_components/ui/link.tsx';

const TEXT = 'Sent again';

/** The mark of a row whose message was sent again, or a later one like it was sent, with a link to that message. */
export default function SentAgain({ href, text = TEXT }: { href: string; text?: string }) {
  return (
    <Link
      href={href}
      scroll={false}
      prefetch={false}
      className="text-12 font-medium text-brand-fg hover:underline"
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </Link>
  );
}
