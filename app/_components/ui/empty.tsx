import type { ReactNode } from 'react';
import { ButtonLink } from './button-link.tsx';

/** An empty state, with its reason and what to do: `action`, or a link to `href` whose words are `do`. */
export function Empty({
  icon,
  title,
  text,
  href,
  do: link,
  action = href && (
    <ButtonLink variant="primary" href={href}>
      {link}
    </ButtonLink>
  ),
}: {
  icon: ReactNode;
  title: string;
  text?: string | undefined;
  href?: string;
  do?: string;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-1.5 px-6 py-10 text-center">
      <span className="mb-1.5 grid size-10 place-items-center rounded-4 border border-line bg-sunken text-ink-3 [&_svg]:size-5">
        {icon}
      </span>
      <h2>{title}</h2>
      {text && <p className="max-w-[44ch] text-13 text-ink-2">{text}</p>}
      {action && <div className="mt-2.5">{action}</div>}
    </div>
  );
}
