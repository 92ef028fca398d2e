import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Check, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Input } from '#app/_components/ui/input.tsx';
import Link from '#app/_components/ui/link.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { type SavedView, VIEW_NAME_MAX, VIEWS_MAX, type ViewList } from '#server/core/saved-views.ts';
import { VIEW } from './view-param.ts';
import { panel as texts } from './words.ts';

export default function ViewsPanel({
  list,
  params,
  onClose,
}: {
  list: ViewList;
  params: URLSearchParams;
  onClose: () => void;
}) {
  const router = useRouter();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const path = `/${list}`;
  const { data: views = [], error, refetch, isPending } = useQuery(trpc.account.views.queryOptions({ list }));
  const keep = (saved: SavedView[]) => queryClient.setQueryData(trpc.account.views.queryKey({ list }), saved);
  const save = useMutation(
    trpc.account.saveView.mutationOptions({
      onSuccess: (saved, view) => {
        keep(saved);
        router.replace(addressOf(path, view), { scroll: false });
        onClose();
      },
    }),
  );
  const remove = useMutation(trpc.account.deleteView.mutationOptions({ onSuccess: keep }));
  const query = queryOf(params);
  if (isPending) return null;
  return (
    <>
      <Failure error={error} retry={refetch} />
      <Failure error={save.error ?? remove.error} assertive />
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
                changes
                onClick={() => remove.mutate({ list, name: view.name })}
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
        <SaveForm
          divided={views.length > 0}
          busy={save.isPending}
          onSave={(name) => save.mutate({ list, name, query })}
        />
      )}
    </>
  );
}

function SaveForm({
  divided,
  busy,
  onSave,
}: {
  divided: boolean;
  busy: boolean;
  onSave: (name: string) => void;
}) {
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
        <Button type="submit" busy={busy} disabled={name.trim() === ''}>
          {texts.submit}
        </Button>
      </div>
      <p className="mt-2 text-12 text-ink-3">{texts.here}</p>
    </form>
  );
}

/** The filters of an address, without the name of a view. */
export function queryOf(params: URLSearchParams): string {
  const query = new URLSearchParams(params);
  query.delete(VIEW);
  return query.toString();
}

/** The address of a list with a view's filters and its name. */
export function addressOf(path: string, { name, query }: SavedView): string {
  const params = new URLSearchParams(query);
  params.set(VIEW, name);
  return `${path}?${params}`;
}
