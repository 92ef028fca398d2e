import { type Shape, StatusIcon, type Tone } from '#app/_components/ui/status-icon.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import type { SendPace } from '#server/core/pacing/interval.ts';
import { isKnownLater } from './known-later.ts';
import { waitSentence } from './wait-words.ts';
import { messages } from './words.ts';

const texts = messages.detail;
type Message = Outputs['messages']['get'];
type Event = Message['timeline'][number]['event'];

const PASSED = { shape: 'done', tone: 'mute' } as const;
const SIGNS: Record<Event, { shape: Shape; tone: Tone }> = {
  accepted: PASSED,
  media_ready: PASSED,
  slot_claimed: PASSED,
  recipient_resolved: PASSED,
  handed_over: PASSED,
  repeated: PASSED,
  sent: { shape: 'check', tone: 'ok' },
  delivered: { shape: 'checks', tone: 'ok' },
  read: { shape: 'checks', tone: 'brand' },
  failed: { shape: 'cross', tone: 'fail' },
  unknown: { shape: 'question', tone: 'warn' },
  expired: { shape: 'clock', tone: 'mute' },
  cancelled: { shape: 'slash', tone: 'mute' },
};

/** The events of a message, with their times after acceptance. */
export function MessageTimeline({ message, pace }: { message: Message; pace: SendPace | undefined }) {
  const { timeline } = message;
  const accepted = timeline[0];
  return (
    <section>
      <div className="mb-2.5 flex items-center justify-between">
        <h2 className="text-13!">{texts.timeline}</h2>
        {timeline.length > 1 && <span className="text-12 text-ink-3">{texts.after}</span>}
      </div>
      <ol className="timeline [&>li]:pb-[11px]">
        {timeline.map((entry) => (
          <li key={`${entry.event}-${entry.at}`}>
            <StatusIcon {...SIGNS[entry.event]} />
            <span className="font-medium">{messages.events[entry.event].title}</span>
            <span className="at grid grid-cols-[auto_60px] text-right">
              <Time at={entry.at} millis className="text-ink-2!" />
              <span>
                {accepted && entry !== accepted && texts.passed(short(ms(entry.at) - ms(accepted.at)))}
              </span>
            </span>
            <small>
              {(entry.event === 'slot_claimed' && waitSentence(message, pace)) ||
                (isKnownLater(timeline, entry) ? texts.knownLater : sentenceOf(entry))}
            </small>
          </li>
        ))}
      </ol>
      <TimesIn className="mt-1 block text-12 text-ink-3" />
    </section>
  );
}

/** A detail that is only a code is not shown. */
function sentenceOf({ event, detail }: Message['timeline'][number]): string {
  return detail && !/^[a-z_]+$/.test(detail) ? detail : messages.events[event].text;
}

const ms = (at: string) => new Date(at).getTime();

/** `0.41 s`, `16.8 s`, `3 min`, `5 h`, `4 days` */
function short(value: number): string {
  const seconds = value / 1000;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}
