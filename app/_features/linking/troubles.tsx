import { Card, Section } from '#app/_components/ui/card.tsx';
import { type Shape, StatusIcon, type Tone } from '#app/_components/ui/status-icon.tsx';
import { linking } from './words.ts';

const texts = linking.trouble;

const LIST: { tone: Tone; shape: Shape; title: string; text: string }[] = [
  { tone: 'mute', shape: 'clock', title: texts.expired, text: texts.expiredText },
  { tone: 'warn', shape: 'warning', title: texts.passkey, text: texts.passkeyText },
  { tone: 'warn', shape: 'warning', title: texts.other, text: texts.otherText },
  { tone: 'fail', shape: 'cross', title: texts.blocked, text: texts.blockedText },
];

/** Common problems of linking, and their solutions. */
export function Troubles() {
  return (
    <Section title={texts.title}>
      <Card>
        <ul className="py-1">
          {LIST.map((trouble) => (
            <li
              key={trouble.title}
              className="flex gap-2.5 border-line-soft px-4 py-2.5 text-13 [&+&]:border-t"
            >
              <StatusIcon shape={trouble.shape} tone={trouble.tone} className="mt-[3px]" />
              <div>
                <b className="font-medium">{trouble.title}</b>
                <p className="text-ink-2">{trouble.text}</p>
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
