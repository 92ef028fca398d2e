import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';

/** A component whose code loads when it is first shown; `fallback` stands in its place until then. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: ReactNode = null,
) {
  const Part = lazy(load);
  return (props: Props) => <Suspense fallback={fallback}>{createElement(Part, props)}</Suspense>;
}
