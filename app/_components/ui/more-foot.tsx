import { Button } from './button.tsx';
import { CardFoot } from './card.tsx';

/** The button at the end of a list that loads more. */
export function MoreFoot({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
  label,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  label: string;
}) {
  if (!hasNextPage) return null;
  return (
    <CardFoot>
      <Button size="small" changes={false} busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {label}
      </Button>
    </CardFoot>
  );
}
