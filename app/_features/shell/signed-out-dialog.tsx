import { Button } from '#app/_components/ui/button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { leaveToSignIn } from '#app/_trpc/sign-in-again.ts';
import { useMe } from './me.tsx';
import { frameNotes } from './words.ts';

const texts = frameNotes.signedOut;

/** Stays until the user is signed in again, or gives up the input. */
export default function SignedOutDialog() {
  const { email } = useMe();
  return (
    <Dialog
      keepOpen
      title={texts.title}
      text={texts.text(email)}
      footer={
        <>
          <Button changes={false} onClick={leaveToSignIn}>
            {texts.leave}
          </Button>
          <Button asChild variant="primary">
            <a href="/sign-in" target="_blank" rel="noopener">
              {texts.do}
            </a>
          </Button>
        </>
      }
    />
  );
}
