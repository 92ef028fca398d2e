import * as Radix from 'radix-ui/tooltip';
import type { ReactNode, RefObject } from 'react';
import { VirtualAnchor } from './virtual-anchor.tsx';

export function Label({
  anchor,
  text,
  onClose,
}: {
  anchor: RefObject<HTMLElement | null>;
  text: ReactNode;
  onClose: () => void;
}) {
  return (
    <Radix.Provider>
      <Radix.Root open onOpenChange={(open) => !open && onClose()}>
        <Radix.Trigger asChild>
          <VirtualAnchor anchor={anchor} />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="float-in z-[70] max-w-[260px] rounded-2 border border-line bg-overlay px-2 py-1 text-12 tabular-nums shadow-pop"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
