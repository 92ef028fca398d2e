'use client';

import clsx from 'clsx';
import { Pause, Play } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Ack } from './ack.ts';
import { formatted } from './formatted.tsx';
import { PlaceMap } from './place-map.tsx';
import { Ticks } from './ticks.tsx';
import { chat as texts } from './words.ts';

/** What a bubble shows. `file` is an address that the page may load; null when there is none to show. */
export type BubbleContent =
  | { type: 'text'; body: string }
  | { type: 'image'; file: string | null; caption?: string | undefined }
  | {
      type: 'document';
      file: string | null;
      filename: string;
      bytes?: number | undefined;
      caption?: string | undefined;
    }
  | { type: 'audio'; file: string | null }
  | {
      type: 'location';
      latitude: number;
      longitude: number;
      name?: string | undefined;
      address?: string | undefined;
    }
  | { type: 'contact'; name: string; phone: string };

/** A message as it looks on a phone. `ack` makes it one of ours; without it somebody else wrote it. */
export function Bubble({
  content,
  time,
  ack,
  tail = false,
}: {
  content: BubbleContent;
  time: string;
  ack?: Ack;
  tail?: boolean;
}) {
  const out = ack !== undefined;
  const media = content.type !== 'text' && content.type !== 'audio';
  const meta = (extra?: string) => (
    <span className={clsx('bubble-meta', extra)}>
      {time} {out && <Ticks ack={ack} />}
    </span>
  );
  return (
    <div
      className={clsx(
        'bubble',
        out ? 'bubble-out' : 'bubble-in',
        tail && 'bubble-tail',
        media && 'bubble-media',
      )}
    >
      <Inside content={content} meta={meta} />
    </div>
  );
}

function Inside({ content, meta }: { content: BubbleContent; meta: (extra?: string) => ReactNode }) {
  switch (content.type) {
    case 'text':
      return (
        <>
          <span dir="auto">{formatted(content.body)}</span>
          {meta()}
        </>
      );
    case 'image':
      return <Picture file={content.file} caption={content.caption} meta={meta} />;
    case 'document':
      return (
        <>
          <FileWell content={content} />
          <div className={clsx('bubble-caption', !content.caption && 'min-h-[17px] pt-0!')} dir="auto">
            {content.caption && formatted(content.caption)}
            {meta()}
          </div>
        </>
      );
    case 'audio':
      return <Sound file={content.file} meta={meta} />;
    case 'location':
      return (
        <>
          <span className="bubble-picture">
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
      );
    case 'contact':
      return (
        <>
          <div className="flex items-center gap-3 px-2 pt-[7px] pb-1.5">
            <span className="chat-avatar size-9 text-12">{letters(content.name)}</span>
            <span className="min-w-0 flex-1">
              <b className="block truncate font-medium">{content.name}</b>
              <span
                className="flex items-center justify-between text-12 tabular-nums"
                style={{ color: 'var(--chat-meta)' }}
              >
                <span className="whitespace-nowrap">{content.phone}</span>
                {meta('float-none! m-0!')}
              </span>
            </span>
          </div>
          <div className="contact-actions" aria-hidden="true">
            <span>{texts.message}</span>
            <span>{texts.save}</span>
          </div>
        </>
      );
    default:
      return content satisfies never;
  }
}

function Picture({
  file,
  caption,
  meta,
}: {
  file: string | null;
  caption: string | undefined;
  meta: (extra?: string) => ReactNode;
}) {
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

function FileWell({ content }: { content: Extract<BubbleContent, { type: 'document' }> }) {
  const { filename, bytes, file } = content;
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

const WAVE = [4, 7, 11, 6, 9, 14, 18, 12, 8, 15, 20, 13, 9, 6, 11, 16, 12, 7, 10, 14, 9, 5, 8, 12, 7, 4];

/** A sound with its wave; the wave is drawn, not measured. */
function Sound({ file, meta }: { file: string | null; meta: (extra?: string) => ReactNode }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [share, setShare] = useState(0);
  const [seconds, setSeconds] = useState<number>();
  const toggle = () => {
    if (playing) audio.current?.pause();
    else void audio.current?.play().catch(() => setPlaying(false));
  };
  return (
    <div className="flex items-center gap-3">
      <button
        type="button"
        disabled={!file}
        onClick={toggle}
        aria-label={playing ? texts.pause : texts.play}
        className="grid size-8 place-items-center rounded-full disabled:cursor-default"
        style={{ color: 'var(--chat-meta)' }}
      >
        {playing ? (
          <Pause className="size-[18px] fill-current" />
        ) : (
          <Play className="size-[18px] fill-current" />
        )}
      </button>
      <div>
        <svg viewBox="0 0 130 24" width="130" height="24" aria-hidden="true">
          {WAVE.map((height, index) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a drawing
              key={index}
              x={index * 5}
              y={12 - height / 2}
              width="2.6"
              height={height}
              rx="1.3"
              fill={
                index / WAVE.length < share
                  ? 'var(--chat-read)'
                  : 'color-mix(in oklch, var(--chat-meta) 55%, transparent)'
              }
            />
          ))}
        </svg>
        <div
          className="mt-[3px] flex justify-between text-[10.5px] tabular-nums"
          style={{ color: 'var(--chat-meta)' }}
        >
          <span>{seconds === undefined ? texts.sound : clock(seconds)}</span>
          {meta('float-none! m-0!')}
        </div>
      </div>
      {file && (
        // biome-ignore lint/a11y/useMediaCaption: a message's sound has none
        <audio
          ref={audio}
          src={file}
          preload="metadata"
          onLoadedMetadata={(event) => setSeconds(event.currentTarget.duration)}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onEnded={() => setShare(0)}
          onTimeUpdate={({ currentTarget: at }) => setShare(at.duration ? at.currentTime / at.duration : 0)}
        />
      )}
    </div>
  );
}

export function letters(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return (
    words
      .slice(0, 2)
      .map((word) => [...word][0])
      .join('')
      .toUpperCase() || '?'
  );
}

function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
