import Link from '#app/_components/ui/link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { askOnServer } from './ask-on-server.ts';
import { requestsNote as texts } from './requests-words.ts';

/** Requests that were refused or that the program did not wait for. Rendered on the server. */
export async function RequestsNote({ numberId }: { numberId: string }) {
  const lately = await askOnServer((api) => api.numbers.requestsLately({ numberId }));
  if (!lately) return null;
  const { unsent, hungUp } = lately;
  const lines = [
    ...(unsent
      ? [{ text: texts.refused(unsent), href: `/requests?show=unsent&number=${numberId}&period=day` }]
      : []),
    ...(hungUp.requests > 0
      ? [{ text: texts.hungUp(hungUp), href: `/requests?code=hung_up&number=${numberId}` }]
      : []),
  ];
  if (lines.length === 0) return null;
  return (
    <Note tone="warn">
      {lines.map(({ text, href }) => (
        <p key={href}>
          {text}{' '}
          <Link href={href} className="font-medium text-brand-fg hover:underline">
            {texts.show}
          </Link>
        </p>
      ))}
    </Note>
  );
}
