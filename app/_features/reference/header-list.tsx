import { Inline } from '#app/_components/ui/inline.tsx';
import { anchorOf } from '#server/rest/reference/operations.ts';

/** Names with their meanings, each with an anchor such as `#header-retry-after`. */
export function HeaderList({
  anchor,
  entries,
}: {
  anchor: string;
  entries: readonly (readonly [name: string, meaning: string])[];
}) {
  return (
    <dl className="docs-card docs-headers">
      {entries.map(([name, meaning]) => (
        <div key={name} id={`${anchor}-${anchorOf(name)}`}>
          <dt>{name}</dt>
          <dd>
            <Inline text={meaning} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
