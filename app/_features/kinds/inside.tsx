import clsx from 'clsx';
import type { ReactNode } from 'react';
import { formatted } from '#app/_features/chat/formatted.tsx';
import { letters } from '#app/_features/chat/letters.ts';
import { PlaceMap } from '#app/_features/chat/place-map.tsx';
import { size } from '#app/_features/chat/size.ts';
import { chat as texts } from '#app/_features/chat/words.ts';
import type { MessageType, ShownContent } from '#server/core/message.ts';
import { Sound } from './sound.tsx';

/** All but texts. */
export type OtherType = Exclude<MessageType, 'text'>;
/** Time and ticks. `extra`: classes for another place than usual. */
type Meta = (extra?: string) => ReactNode;

export interface InsideProps<T extends OtherType> {
  content: Extract<ShownContent, { type: T }>;
  /** The address of the file; null if there is none to show. */
  file: string | null;
  bytes: number | undefined;
  meta: Meta;
}

const INSIDE: { [T in OtherType]: (props: InsideProps<T>) => ReactNode } = {
  image: ({ content, file, meta }) => <Picture file={file} caption={content.caption} meta={meta} />,
  document: ({ content, file, bytes, meta }) => (
    <>
      <FileWell filename={content.filename} file={file} bytes={bytes} />
      <div className={clsx('bubble-caption', !content.caption && 'min-h-[17px] pt-0!')} dir="auto">
        {content.caption && formatted(content.caption)}
        {meta()}
      </div>
    </>
  ),
  audio: ({ file, meta }) => <Sound file={file} meta={meta} />,
  location: ({ content, meta }) => (
    <>
      <span className="bubble-picture min-h-[94px]">
        <PlaceMap latitude={content.latitude} longitude={content.longitude} />
      </span>
      <div className="bubble-caption">
        {content.name && <b className="block font-semibold">{content.name}</b>}
        <span className="text-[12.5px]" style={{ color: 'var(--chat-meta)' }}>
          {content.address ?? `${content.latitude}, ${content.longitude}`}
        </span>
        {meta()}
      </div>
    </>
  ),
  contact: ({ content, meta }) => (
    <>
      <div className="flex items-center gap-3 px-2 pt-[7px] pb-1.5">
        <span className="chat-avatar size-9 text-12">{letters(content.contactName)}</span>
        <span className="min-w-0 flex-1">
          <b className="block truncate font-medium">{content.contactName}</b>
          <span
            className="flex items-center justify-between text-12 tabular-nums"
            style={{ color: 'var(--chat-meta)' }}
          >
            <span className="whitespace-nowrap">{content.contactPhone}</span>
            {meta('float-none! m-0!')}
          </span>
        </span>
      </div>
      <div className="contact-actions" aria-hidden="true">
        <span>{texts.message}</span>
        <span>{texts.save}</span>
      </div>
    </>
  ),
};

/** The content of a bubble that is not a text, by kind. Loads on demand. */
export default function Inside(props: InsideProps<OtherType>) {
  const Kind = INSIDE[props.content.type] as (props: InsideProps<OtherType>) => ReactNode;
  return <Kind {...props} />;
}

function Picture({ file, caption, meta }: { file: string | null; caption: string | undefined; meta: Meta }) {
  return (
    <>
      <span className="bubble-picture grid min-h-[94px] place-items-center">
        {file ? (
          // biome-ignore lint/performance/noImgElement: a file of the sandbox, shown once
          <img src={file} alt={caption ?? texts.image} className="block max-h-[260px] w-full object-cover" />
        ) : (
          <span className="text-12" style={{ color: 'var(--chat-meta)' }}>
            {texts.image}
          </span>
        )}
      </span>
      {caption ? (
        <div className="bubble-caption" dir="auto">
          {formatted(caption)}
          {meta()}
        </div>
      ) : (
        meta('bubble-over')
      )}
    </>
  );
}

function FileWell({
  filename,
  file,
  bytes,
}: {
  filename: string;
  file: string | null;
  bytes: number | undefined;
}) {
  const kind = (/\.([A-Za-z0-9]{1,4})$/.exec(filename)?.[1] ?? texts.file).toUpperCase();
  const inside = (
    <>
      <span className="file-badge">{kind}</span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{filename}</span>
        {bytes !== undefined && (
          <span className="block text-11 tabular-nums" style={{ color: 'var(--chat-meta)' }}>
            {size(bytes)}
          </span>
        )}
      </span>
    </>
  );
  if (!file) return <div className="bubble-well">{inside}</div>;
  return (
    <a className="bubble-well" href={file} download={filename}>
      {inside}
    </a>
  );
}
