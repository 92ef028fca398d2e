'use client';

import { Bookmark, Check, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Input } from '#app/_components/ui/input.tsx';
import Link from '#app/_components/ui/link.tsx';
import { useStored } from '#app/_components/ui/use-stored.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { panel as texts } from './panel-words.ts';
import { VIEW } from './view-param.ts';
import { addressOf, parseViews, queryOf, VIEW_NAME_MAX, VIEWS_MAX, type View, withView } from './views.ts';

export default function ViewsPanel({
  path,
  params,
  onClose,
}: {
  path: string;
  params: URLSearchParams;
  onClose: () => void;
}) {
  const router = useRouter();
  const { account } = useMe();
  const [stored, store] = useStored(`wirebird.views${path}.${account.accountId}`);
  const views = parseViews(stored);
  const query = queryOf(params);
  const save = (view: View) => {
    store(JSON.stringify(withView(views, view)));
    router.replace(addressOf(path, view), { scroll: false });
    onClose();
  };
  return (
    <>
      {views.length > 0 && (
        <ul className="max-h-[240px] overflow-y-auto">
          {views.map((view) => (
            <li key={view.name} className="flex items-center rounded-2 hover:bg-active">
              <Link
                href={addressOf(path, view)}
                scroll={false}
                onClick={onClose}
                className="flex min-h-8 min-w-0 flex-1 items-center gap-2.5 px-2 text-13 max-md:min-h-11"
              >
                <Bookmark className="size-4 shrink-0 text-ink-3" />
                <span className="min-w-0 flex-1 truncate">{view.name}</span>
                {params.get(VIEW) === view.name && <Check className="size-4 text-ink-3" />}
              </Link>
              <Button
                variant="ghost"
                size="small"
                icon
                aria-label={texts.remove(view.name)}
                onClick={() => store(JSON.stringify(views.filter((one) => one !== view)))}
              >
                <Trash2 />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {query === '' && views.length === 0 && <p className="px-2 py-1.5 text-13 text-ink-2">{texts.none}</p>}
      {query !== '' && views.length >= VIEWS_MAX && (
        <p className="border-t border-line-soft px-2 py-2 text-13 text-ink-2">{texts.full(VIEWS_MAX)}</p>
      )}
      {query !== '' && views.length < VIEWS_MAX && (
        <SaveForm divided={views.length > 0} onSave={(name) => save({ name, query })} />
      )}
    </>
  );
}

function SaveForm({ divided, onSave }: { divided: boolean; onSave: (name: string) => void }) {
  const id = useId();
  const [name, setName] = useState('');
  return (
    <form
      className={divided ? 'mt-1 border-t border-line-soft px-2 pt-2 pb-1.5' : 'px-2 py-1.5'}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) onSave(name.trim());
      }}
    >
      <label htmlFor={id} className="text-12 text-ink-3">
        {texts.save}
      </label>
      <div className="mt-1 flex gap-2">
        <Input
          id={id}
          value={name}
          maxLength={VIEW_NAME_MAX}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" changes={false} disabled={name.trim() === ''}>
          {texts.submit}
        </Button>
      </div>
      <p className="mt-2 text-12 text-ink-3">{texts.here}</p>
    </form>
  );
}
