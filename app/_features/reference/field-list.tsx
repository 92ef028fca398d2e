import { Inline } from '#app/_components/ui/inline.tsx';
import type { Field } from '#server/rest/reference/fields.ts';
import { reference as texts } from './words.ts';

/** Fields with type, limits and values; those within a field are indented below it. */
export function FieldList({
  title,
  fields,
  answer = false,
}: {
  title: string;
  fields: readonly Field[];
  answer?: boolean;
}) {
  if (fields.length === 0) return null;
  return (
    <section className="docs-fields">
      <h4>{title}</h4>
      <Fields fields={fields} answer={answer} />
    </section>
  );
}

function Fields({ fields, answer }: { fields: readonly Field[]; answer: boolean }) {
  return (
    <dl>
      {fields.map((field) => (
        <div key={field.name}>
          <dt>
            <code>{field.name}</code>
            <span>{[field.type, field.limits].filter(Boolean).join(', ')}</span>
            {field.required && !answer && <em>{texts.required}</em>}
          </dt>
          <dd>
            {field.description && <Inline text={field.description} />}
            {field.values.length > 1 && <Values values={field.values} />}
            {field.fields.length > 0 && <Fields fields={field.fields} answer={answer} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A longer list of values is a link to the section that explains them. */
const VALUES_MAX = 12;

function Values({ values }: { values: readonly string[] }) {
  if (values.length > VALUES_MAX)
    return (
      <p>
        <a href="#errors">{texts.allCodes}</a>
      </p>
    );
  return (
    <p className="docs-values">
      {values.map((value) => (
        <code key={value}>{value}</code>
      ))}
    </p>
  );
}
