import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

export function Card({ className, ...props }: ComponentProps<'section'>) {
  return (
    <section
      {...props}
      className={clsx('card min-w-0 rounded-4 border border-line bg-raised shadow-card', className)}
    />
  );
}

export function CardHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex min-h-5 items-center justify-between gap-3 px-4 pt-3.5">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function CardFoot({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      {...props}
      className={clsx(
        'flex items-center justify-between gap-2 rounded-b-[9px] border-t border-line-soft bg-sunken px-4 py-2.5 text-12 text-ink-3',
        className,
      )}
    />
  );
}

export function Section({
  title,
  aside,
  className,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={clsx('flex min-w-0 flex-col gap-3', className)}>
      <div className="flex min-h-6 items-center justify-between gap-3">
        <h2>{title}</h2>
        {aside !== undefined && <span className="text-12 text-ink-3">{aside}</span>}
      </div>
      {children}
    </section>
  );
}
