import { Pause, Play } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { chat as texts } from '#app/_features/chat/words.ts';

const WAVE = [4, 7, 11, 6, 9, 14, 18, 12, 8, 15, 20, 13, 9, 6, 11, 16, 12, 7, 10, 14, 9, 5, 8, 12, 7, 4];

/** An audio player. The waveform is decoration, not measured. */
export function Sound({ file, meta }: { file: string | null; meta: (extra?: string) => ReactNode }) {
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
                  : 'color-mix(in oklab, var(--chat-meta) 55%, transparent)'
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

function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
