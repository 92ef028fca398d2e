import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';
import type { Toast } from './toasts.tsx';

const Toasts = lazy(() => import('./toasts.tsx'));

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
      {used && (
        <Suspense fallback={null}>
          <Toasts toasts={toasts} onGone={remove} />
        </Suspense>
      )}
    </Context.Provider>
  );
}
