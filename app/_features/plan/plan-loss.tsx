import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { useStoredSet } from '#app/_features/overview/use-stored-set.ts';
import type { Outputs } from '#app/_trpc/client.ts';
import { useCanSend } from './can-send.tsx';

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
const to = (people: string[], others: number) =>
  people.length === 0
    ? '.'
    : `, to ${people.join(', ')}${others === 0 ? '' : ` and ${others.toLocaleString('en')} more`}.`;

const texts = {
  again: 'The plan works again. This was not sent while it had ended',
  stopped: 'This was not sent because the plan ended',
  ended: 'The plan ended on',
  cancelled: (count: number) =>
    `${counted(count, 'waiting or scheduled message was', 'waiting or scheduled messages were')} cancelled`,
  refused: (count: number) =>
    `${counted(count, 'request to send was', 'requests to send were')} refused (402)`,
  notLater: 'Nothing of this is sent later. Send again what you still need.',
  notKept: 'Wirebird does not keep the text of refused requests: send them again from your own system.',
  showCancelled: 'Show cancelled messages',
  showRefused: 'Show refused requests',
  dismiss: 'Dismiss',
};

/** What the plan's end cancelled and refused, until it is dismissed. */
export default function PlanLoss({
  loss,
}: {
  loss: NonNullable<Outputs['account']['overview']['planLoss']>;
}) {
  const canSend = useCanSend();
  const { has, add } = useStoredSet('wirebird.planloss');
  const { since, over, cancelled, refused } = loss;
  if (has(since)) return null;
  return (
    <Note
      tone={canSend ? 'warn' : 'fail'}
      title={canSend ? texts.again : texts.stopped}
      action={
        <>
          {cancelled > 0 && (
            <ButtonLink size="small" href="/messages?status=cancelled">
              {texts.showCancelled}
            </ButtonLink>
          )}
          {refused > 0 && (
            <ButtonLink size="small" href="/requests?show=unsent&code=plan_inactive">
              {texts.showRefused}
            </ButtonLink>
          )}
          {over && (
            <Button size="small" variant="ghost" onClick={() => add(since)}>
              {texts.dismiss}
            </Button>
          )}
        </>
      }
    >
      <p>
        {texts.ended} {loss.sinceText}.
      </p>
      {cancelled > 0 && (
        <p>
          {texts.cancelled(cancelled)}
          {to(loss.cancelledToTexts, loss.cancelledToOthers)}
        </p>
      )}
      {refused > 0 && (
        <p>
          {texts.refused(refused)}
          {to(loss.refusedToTexts, loss.refusedToOthers)}
        </p>
      )}
      <p>
        {texts.notLater} {refused > 0 && texts.notKept}
      </p>
    </Note>
  );
}
