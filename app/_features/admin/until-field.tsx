import { Button } from '#app/_components/ui/button.tsx';
import { Field } from '#app/_components/ui/field.tsx';
import { Input } from '#app/_components/ui/input.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { monthsAfter, unusual } from './months.ts';
import { admin } from './words.ts';

const texts = admin.account;

/**
 * The last day paid for, as a date or by one button: a month or a year after the plan's end, or from today. Warns of a
 * day that is probably a mistake.
 */
export function UntilField({
  paidUntil,
  value,
  onChange,
}: {
  /** Of the present plan; null without one. */
  paidUntil: string | null;
  value: string;
  onChange: (until: string) => void;
}) {
  const warning = unusual(value, paidUntil);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Field label={texts.until} help={texts.untilHelp}>
        {(tie) => (
          <span className="flex flex-wrap gap-2">
            <Input
              {...tie}
              type="date"
              required
              value={value}
              onChange={(event) => onChange(event.target.value)}
              className="min-w-36 flex-1"
            />
            <Button onClick={() => onChange(monthsAfter(paidUntil, 1))}>{texts.month}</Button>
            <Button onClick={() => onChange(monthsAfter(paidUntil, 12))}>{texts.year}</Button>
          </span>
        )}
      </Field>
      {warning && (
        <Note tone="warn" title={texts.unusual[warning].title}>
          {texts.unusual[warning].text}
        </Note>
      )}
    </div>
  );
}
