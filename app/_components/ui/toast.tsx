import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { lazyPart } from './lazy-part.tsx';
import type { Toast } from './toasts.tsx';

const Toasts = lazyPart(() => import('./toasts.tsx'));

const Context = createContext<(toast: Toast) => void>(() => {});

/** Reports in a corner what just happened. */
export const useToast = () => useContext(Context);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<(Toast & { id: number })[]>([]);
  const [used, setUsed] = useState(false);
  const show = useCallback((toast: Toast) => {
    setUsed(true);
    setToasts((now) => [...now.slice(-2), { ...toast, id: (now.at(-1)?.id ?? 0) + 1 }]);
  }, []);
  const remove = useCallback((id: number) => setToasts((now) => now.filter((toast) => toast.id !== id)), []);
  return (
    <Context.Provider value={show}>
      {children}
      {used && <Toasts toasts={toasts} onGone={remove} />}
    </Context.Provider>
  );
}
