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

/** An empty state, with its reason. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-1.5 px-6 py-10 text-center">
      {icon && (
        <span className="mb-1.5 grid size-10 place-items-center rounded-4 border border-line bg-sunken text-ink-3 [&_svg]:size-5">
          {icon}
        </span>
      )}
      <h3>{title}</h3>
      {children && <p className="max-w-[44ch] text-13 text-ink-2">{children}</p>}
      {action && <div className="mt-2.5">{action}</div>}
    </div>
  );
}
