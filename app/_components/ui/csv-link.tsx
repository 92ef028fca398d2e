import { Download } from 'lucide-react';
import { Button } from './button.tsx';

/** Downloads a list as a CSV file. */
export function CsvLink({
  path,
  query,
  label,
}: {
  path: string;
  query: Record<string, string | boolean>;
  label: string;
}) {
  const params = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return (
    <Button asChild size="small">
      <a href={params.size === 0 ? path : `${path}?${params}`} download>
        <Download />
        {label}
      </a>
    </Button>
  );
}
