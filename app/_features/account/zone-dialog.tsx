import { Globe, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { CommandDialog, type Pick } from '#app/_components/ui/command-dialog.tsx';
import { matches } from '#app/_components/ui/pick-match.ts';
import { zoneName } from '#app/_components/ui/times-in.tsx';
import { account } from './words.ts';
import { allZones, offsetOf } from './zones.ts';

const texts = account.timeZone;
const INSTALLATION = 'installation';

/** All time zones, searchable by city or offset. */
export function ZoneDialog({
  installation,
  onPick,
  onClose,
}: {
  installation: string;
  /** Null: the server's default. */
  onPick: (timeZone: string | null) => void;
  onClose: () => void;
}) {
  const [query, setQuery] = useState('');
  const all = useMemo<Pick[]>(() => {
    const now = new Date();
    return [
      { id: INSTALLATION, label: texts.reset(zoneName(installation)), icon: <Undo2 /> },
      ...allZones().map((zone) => ({
        id: zone,
        label: zoneName(zone),
        aside: offsetOf(zone, now),
        icon: <Globe />,
      })),
    ];
  }, [installation]);
  const found = all.filter(({ label, aside }) => matches(query, `${label} ${aside ?? ''}`));
  return (
    <CommandDialog
      label={texts.dialog}
      placeholder={texts.search}
      query={query}
      onQuery={setQuery}
      groups={[{ picks: found }]}
      empty={texts.none}
      onPick={({ id }) => onPick(id === INSTALLATION ? null : id)}
      onClose={onClose}
    />
  );
}
