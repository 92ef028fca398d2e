import { type ComponentProps, cloneElement, type ReactElement } from 'react';

export type TriggerProps = ComponentProps<'button'> & { 'data-state'?: string };

/** A given button with more props; its own handlers run first. */
export function withProps(trigger: ReactElement<TriggerProps>, added: TriggerProps) {
  const merged: Record<string, unknown> = { ...added };
  for (const [name, handler] of Object.entries(added)) {
    const own = trigger.props[name as keyof TriggerProps];
    if (typeof handler !== 'function' || typeof own !== 'function') continue;
    merged[name] = (event: unknown) => {
      (own as (event: unknown) => void)(event);
      (handler as (event: unknown) => void)(event);
    };
  }
  return cloneElement(trigger, merged);
}
