'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { common } from './words.ts';

/** Copies `text` and shows that for a moment. Without `children` it is an icon button. */
export function CopyButton({
  text,
  label,
  children,
  ...props
}: { text: string; label: string } & Omit<ButtonProps, 'onClick'>) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      variant={children ? 'plain' : 'ghost'}
      size="small"
      icon={!children}
      aria-label={copied ? common.copied : label}
      {...props}
      onClick={async () => setCopied(await copy(text))}
    >
      {copied ? <Check /> : <Copy />}
      {children && (copied ? common.copied : children)}
      <span role="status" className="sr-only">
        {copied ? common.copied : ''}
      </span>
    </Button>
  );
}

/** The clipboard API needs HTTPS or localhost; over plain HTTP the old command still works. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    (document.querySelector('[role=dialog]') ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
