'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { account } from './words.ts';

const texts = account.signIns;

/** The browsers in which the user is signed in; each can be signed out. */
export function SignIns() {
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const { data, error, refetch } = useQuery(trpc.user.signIns.queryOptions());
  const end = useMutation(
    trpc.user.endSignIn.mutationOptions({
      onSuccess: () => {
        done(texts.ended);
        return refresh({ queryKey: trpc.user.signIns.queryKey() });
      },
    }),
  );
  const endAll = useMutation(trpc.user.endAllSignIns.mutationOptions());
  return (
    <Section title={texts.title}>
      <Failure error={error} retry={refetch} />
      <Failure error={end.error} assertive />
      <Card>
        {!data && !error && <SkeletonRows rows={2} />}
        <ul>
          {data?.map((signIn) => (
            <li
              key={signIn.id}
              className="flex min-h-14 items-center gap-3 border-line-soft px-4 py-2.5 text-13 [&+&]:border-t"
            >
              <div className="min-w-0 flex-1">
                <p className="flex items-center gap-2 font-medium">
                  <span className="truncate">{browserName(signIn.userAgent) ?? texts.unknown}</span>
                  {signIn.current && <Tag>{texts.here}</Tag>}
                </p>
                <p className="text-12 text-ink-3">
                  {signIn.address && `${signIn.address} · `}
                  {texts.last} <Time at={signIn.seenAt} seconds={false} />
                </p>
              </div>
              {!signIn.current && (
                <Button size="small" busy={end.isPending} onClick={() => end.mutate({ signInId: signIn.id })}>
                  {texts.end}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {data && <TimesIn className="text-12 text-ink-3" />}
      <Confirm
        trigger={
          <Button variant="danger" className="self-start">
            {texts.allDialog.submit}
          </Button>
        }
        {...texts.allDialog}
        onConfirm={async () => {
          await endAll.mutateAsync();
          window.location.assign('/sign-in');
        }}
      />
    </Section>
  );
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The browser's usual name from its user agent; null if unknown. */
export function browserName(userAgent: string | null): string | null {
  const find = (names: typeof BROWSERS) => names.find(([form]) => form.test(userAgent ?? ''))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? null);
}
