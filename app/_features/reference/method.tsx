/** An HTTP method, in its colour. */
export function Method({ method }: { method: string }) {
  return (
    <span className="docs-method" data-method={method}>
      {method}
    </span>
  );
}
