import type { ComponentProps, ReactElement } from 'react';

export type TriggerProps = ComponentProps<'button'> & { 'data-state'?: string };

/** Props that a component adds to a given button; the button's own handlers run first. */
export function withTrigger(trigger: ReactElement<TriggerProps>, added: TriggerProps): TriggerProps {
  const merged: Record<string, unknown> = { ...added };
  for (const [name, handler] of Object.entries(added)) {
    const own = trigger.props[name as keyof TriggerProps];
    if (typeof handler !== 'function' || typeof own !== 'function') continue;
    merged[name] = (event: unknown) => {
      (own as (event: unknown) => void)(event);
      (handler as (event: unknown) => void)(event);
    };
  }
  return merged;
}
