import { Tag } from '#app/_components/ui/badge.tsx';
import { type Advice, ERROR_GUIDE } from '#server/rest/error-guide.ts';
import { reference } from './words.ts';

const texts = reference.errors;

const SENT_TONE = { yes: 'ok', waits: 'wait', no: 'mute', perhaps: 'warn' } as const;
const WHO_TONE = { nobody: 'ok', ask: 'wait', repeat: 'wait', fix: 'brand', person: 'warn' } as const;

/** Where a code is explained first: a link to it leads there. */
const FIRST_OF = new Map(
  ERROR_GUIDE.toReversed().flatMap((advice) => advice.codes.map((code) => [code, advice] as const)),
);

/** For each answer: whether and how to retry, or what to fix. On a phone each row is a card. */
export function AnswersTable() {
  const { columns } = texts;
  return (
    <table className="docs-card docs-answers">
      <thead>
        <tr>
          <th scope="col">{columns.answer}</th>
          <th scope="col">{columns.meaning}</th>
          <th scope="col">{columns.message}</th>
          <th scope="col">{columns.next}</th>
          <th scope="col">{columns.key}</th>
        </tr>
      </thead>
      <tbody>
        {ERROR_GUIDE.map((advice) => (
          <Row key={`${advice.status} ${advice.sign}`} advice={advice} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ advice }: { advice: Advice }) {
  const { columns, none, sent, who, keys } = texts;
  const { status, sign, meaning, codes, next } = advice;
  return (
    <tr>
      <th scope="row">
        <b>{status === 'none' ? none : status}</b>
        {sign && <small>{sign}</small>}
      </th>
      <td>
        {meaning}
        {codes.length > 0 && (
          <small className="docs-codes">
            {codes.map((code) => (
              <code key={code} id={FIRST_OF.get(code) === advice ? `error-${code}` : undefined}>
                {code}
              </code>
            ))}
          </small>
        )}
      </td>
      <td>
        <Tag tone={SENT_TONE[advice.sent]}>{sent[advice.sent]}</Tag>
      </td>
      <td>
        <Tag tone={WHO_TONE[advice.who]}>{who[advice.who]}</Tag>
        <span className="docs-next">{next}</span>
      </td>
      <td data-label={columns.key}>{keys[advice.key]}</td>
    </tr>
  );
}
