import { MonitorSmartphone, QrCode, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button, type ButtonProps } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { newMessagesSentence } from '#server/core/number-status-text.ts';
import { NumberDialogs } from './number-dialogs.tsx';
import { NumberNote } from './number-note.tsx';
import { isLinkable, type NumberItem } from './number-sentence.ts';
import { useNumberActions } from './use-number.ts';
import { numbers } from './words.ts';

const texts = numbers.stateNotes;

/** What the user should know and do about a number's state; nothing if all is well. */
export function StateNote({ number }: { number: NumberItem }) {
  if (number.replacementPhone !== null) return <Replacing number={number} />;
  // The plan shrank: an owner can keep this number active instead of another.
  if (number.access === 'excess' && number.status === 'CONNECTED')
    return (
      <NumberNote tone="warn" title={texts.excess.title} action={<PlanButton word={texts.excess.do} />}>
        {texts.excess.text} {newMessagesSentence(number)}
      </NumberNote>
    );
  switch (number.status) {
    case 'CONFLICT':
      return (
        <NumberNote
          tone="warn"
          title={texts.conflict.title}
          action={
            <ActButton number={number} act="takeOverSession" variant="primary">
              <MonitorSmartphone />
              {numbers.page.takeOverSession}
            </ActButton>
          }
        >
          {texts.conflict.text} {newMessagesSentence(number)}
        </NumberNote>
      );
    case 'BLOCKED':
      return <Blocked number={number} />;
    case 'LOGGED_OUT':
      return <LoggedOut number={number} />;
    case 'SUSPENDED':
      return (
        <NumberNote tone="mute" title={texts.suspended.title}>
          {number.statusReason && <p>{texts.suspended.reason(number.statusReason)}</p>}
          <p>
            {texts.suspended.text} {newMessagesSentence(number)}
          </p>
        </NumberNote>
      );
    case 'LINKING':
      return number.statusReason ? (
        <NumberNote
          tone="warn"
          title={texts.linking.title}
          action={<LinkButton number={number} word={texts.linking.do} />}
        >
          {number.statusReason}
        </NumberNote>
      ) : null;
    case 'RECONNECTING':
      // The page's head has the reason, the plan's page says what to do.
      if (number.sessionStop === 'trial')
        return (
          <NumberNote
            tone="mute"
            title={texts.resting.title}
            action={
              <ActButton number={number} act="startTrial" variant="primary">
                {texts.resting.do}
              </ActButton>
            }
          >
            {texts.resting.text}
          </NumberNote>
        );
      if (number.sessionStop === 'plan')
        return (
          <NumberNote
            tone="warn"
            title={texts.planStopped.title}
            action={<PlanButton word={texts.planStopped.do} />}
          >
            {newMessagesSentence(number)} {texts.planStopped.text}
          </NumberNote>
        );
      return number.stranded ? (
        // The page's head has the reason and the time.
        <NumberNote
          tone="warn"
          title={texts.stranded.title}
          action={<LinkButton number={number} word={texts.stranded.do} />}
        >
          <Steps steps={[...texts.stranded.steps, newMessagesSentence(number)]} />
        </NumberNote>
      ) : (
        <NumberNote tone="wait" title={texts.reconnecting.title}>
          {number.statusReason && `${number.statusReason} `}
          {texts.reconnecting.text} {newMessagesSentence(number)}
        </NumberNote>
      );
    case 'UNLINKED':
    case 'SYNCING':
    case 'CONNECTED':
      return null;
    default:
      return number.status satisfies never;
  }
}

function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ul className="mt-1.5 list-disc space-y-1 pl-4">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ul>
  );
}

function LinkButton({ number, word }: { number: NumberItem; word: string }) {
  return (
    <ButtonLink variant="primary" href={`/numbers/${number.id}/link`}>
      <QrCode />
      {word}
    </ButtonLink>
  );
}

/** A button that acts on the number at once. */
function ActButton({
  number,
  act,
  ...button
}: ButtonProps & { number: NumberItem; act: 'startTrial' | 'takeOverSession' | 'keepPhone' }) {
  const action = useNumberActions()[act];
  return (
    <Button {...button} busy={action.isPending} onClick={() => action.mutate({ numberId: number.id })} />
  );
}

function PlanButton({ word }: { word: string }) {
  return (
    <ButtonLink variant="primary" href="/account/plan">
      {word}
    </ButtonLink>
  );
}

function Blocked({ number }: { number: NumberItem }) {
  return (
    <NumberNote
      tone="fail"
      title={number.statusReason ?? texts.blocked.title}
      action={
        isLinkable(number) ? (
          <LinkButton number={number} word={numbers.page.linkAgain} />
        ) : (
          <ActButton number={number} act="takeOverSession">
            <RotateCcw />
            {numbers.page.tryAgain}
          </ActButton>
        )
      }
    >
      {newMessagesSentence(number)}
      {/* A reason already says what to do. */}
      {!number.statusReason && <Steps steps={texts.blocked.steps} />}
    </NumberNote>
  );
}

function LoggedOut({ number }: { number: NumberItem }) {
  const other = number.cause?.code === 'phone_refused' && number.cause.why !== 'in_use';
  const title = other ? texts.other.title : texts.loggedOut.title;
  return (
    <NumberNote
      tone="warn"
      title={title}
      action={
        <>
          <LinkButton number={number} word={numbers.page.linkAgain} />
          <ReplaceButton number={number} />
        </>
      }
    >
      {number.statusReason} {newMessagesSentence(number)}
      <Steps steps={other ? texts.other.steps : texts.loggedOut.steps} />
    </NumberNote>
  );
}

/** Opens the dialog that the number's menu opens too. */
function ReplaceButton({ number }: { number: NumberItem }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button changes onClick={() => setOpen(true)}>
        {numbers.page.replace}
      </Button>
      {open && <NumberDialogs number={number} open="replace" onClose={() => setOpen(false)} />}
    </>
  );
}

function Replacing({ number }: { number: NumberItem }) {
  return (
    <NumberNote
      tone="brand"
      title={texts.replacing.title(number.replacementText ?? '')}
      action={
        <>
          <LinkButton number={number} word={texts.replacing.do} />
          <ActButton number={number} act="keepPhone">
            {texts.replacing.keep(number.phoneText ?? '')}
          </ActButton>
        </>
      }
    >
      {number.status === 'LOGGED_OUT' && number.statusReason ? number.statusReason : texts.replacing.text}{' '}
      {newMessagesSentence(number)}
    </NumberNote>
  );
}
