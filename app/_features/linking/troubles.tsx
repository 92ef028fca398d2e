import { Card, Section } from '#app/_components/ui/card.tsx';
import { linking } from './words.ts';

const texts = linking.trouble;

const LIST: { title: string; text: string }[] = [
  { title: texts.expired, text: texts.expiredText },
  { title: texts.passkey, text: texts.passkeyText },
  { title: texts.other, text: texts.otherText },
  { title: texts.blocked, text: texts.blockedText },
];

/** Common problems of linking, and their solutions. No icon: none of them has happened. */
export function Troubles() {
  return (
    <Section title={texts.title}>
      <Card>
        <ul className="py-1">
          {LIST.map((trouble) => (
            <li key={trouble.title} className="border-line-soft px-4 py-2.5 text-13 [&+&]:border-t">
              <b className="font-medium">{trouble.title}</b>
              <p className="text-ink-2">{trouble.text}</p>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
