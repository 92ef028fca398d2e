import type { ComponentProps, ReactNode } from 'react';
import type { lazyModule } from './lazy-module.ts';
import { Menu } from './menu.tsx';
import { withProps } from './trigger.ts';

/** A menu whose items load when the user gets near its button. */
export function LazyMenu<Parts extends object>({
  useParts,
  trigger,
  children,
  ...menu
}: Omit<ComponentProps<typeof Menu>, 'children'> & {
  useParts: ReturnType<typeof lazyModule<Parts>>;
  children: (parts: Parts) => ReactNode;
}) {
  const [parts, fetchParts] = useParts();
  const near = { onPointerEnter: fetchParts, onFocus: fetchParts, onClick: fetchParts };
  return (
    <Menu {...menu} trigger={withProps(trigger, near)}>
      {parts && children(parts)}
    </Menu>
  );
}
