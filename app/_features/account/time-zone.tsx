import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Globe } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { useNow } from '#app/_components/ui/time.tsx';
import { zoneName } from '#app/_components/ui/times-in.tsx';
import { useInBrowser } from '#app/_components/ui/use-in-browser.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import type { AccountSettings } from './account-settings.ts';
import { account } from './words.ts';
import { ZoneDialog } from './zone-dialog.tsx';
import { clockIn } from './zones.ts';

const texts = account.timeZone;

/** The account's time zone; an owner can change it. */
export function TimeZoneCard({ settings, owner }: { settings: AccountSettings; owner: boolean }) {
  const trpc = useTRPC();
  const { done } = useFeedback();
  const queryClient = useQueryClient();
  const now = useNow(10_000);
  const inBrowser = useInBrowser();
  const [choosing, setChoosing] = useState(false);
  const change = useMutation(
    trpc.account.setTimeZone.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.account.settings.queryKey(), saved);
        done(texts.done(zoneName(saved.timeZone ?? saved.installationTimeZone)));
      },
    }),
  );
  const zone = settings.timeZone ?? settings.installationTimeZone;
  return (
    <div className="flex flex-col gap-4 text-13">
      <Failure error={change.error} assertive />
      <p className="max-w-[60ch] text-ink-2">{texts.lead}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Globe className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
        <span className="min-w-0 flex-1 basis-[200px]">
          <b className="block font-medium">{zoneName(zone)}</b>
          <span className="block text-12 text-ink-3 tabular-nums">
            {inBrowser && `${texts.now(clockIn(zone, now))}. `}
            {settings.timeZone === null ? texts.inherited : texts.chosen}
          </span>
        </span>
        {owner && (
          <Button busy={change.isPending} aria-haspopup="dialog" onClick={() => setChoosing(true)}>
            {texts.change}
          </Button>
        )}
      </div>
      {!owner && <p className="text-12 text-ink-3">{account.settings.ownerOnly}</p>}
      {choosing && (
        <ZoneDialog
          installation={settings.installationTimeZone}
          onPick={(timeZone) => change.mutate({ timeZone })}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}
