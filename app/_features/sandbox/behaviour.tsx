import { Card, CardHead } from '#app/_components/ui/card.tsx';
import { Switch } from '#app/_components/ui/switch.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { type Phone, usePhoneActions } from './use-phone.ts';
import { sandbox } from './words.ts';

const texts = sandbox.behaviour;
const SURPRISES = ['refuse', 'hang', 'late', 'absent'] as const;

/** How the phone treats messages: the default, or one surprise for the next message. */
export function Behaviour({ number, phone }: { number: NumberItem; phone: Phone | undefined }) {
  const { demandPasskey, setDelivery, setSurprise } = usePhoneActions();
  const numberId = number.id;
  const delivered = phone?.state.deliveredMs != null;
  const read = phone?.state.readMs != null;
  // Shows the user's choice at once; the phone's answer follows.
  const asked = setDelivery.isPending ? setDelivery.variables : undefined;
  const demanded = demandPasskey.isPending ? demandPasskey.variables.demanded : phone?.state.passkey.demanded;
  const surprise = setSurprise.isPending ? setSurprise.variables : undefined;
  return (
    <Card>
      <CardHead title={texts.title} />
      <ul className="py-1.5">
        <Row
          title={texts.deliver}
          text={texts.deliverText}
          checked={asked?.delivered ?? delivered}
          disabled={!phone}
          onChange={(on) => setDelivery.mutate({ numberId, delivered: on, read: on && read })}
        />
        <Row
          title={texts.read}
          text={texts.readText}
          checked={asked?.read ?? read}
          disabled={!phone || !delivered}
          onChange={(on) => setDelivery.mutate({ numberId, delivered, read: on })}
        />
        {SURPRISES.map((name) => (
          <Row
            key={name}
            title={texts[name]}
            text={texts[`${name}Text`]}
            checked={surprise?.surprise === name ? surprise.on : (phone?.surprises[name] ?? false)}
            disabled={!phone}
            onChange={(on) => setSurprise.mutate({ numberId, surprise: name, on })}
          />
        ))}
        <Row
          title={texts.passkey}
          text={texts.passkeyText}
          checked={demanded ?? false}
          disabled={!phone}
          onChange={(on) => demandPasskey.mutate({ numberId, demanded: on })}
        />
      </ul>
    </Card>
  );
}

function Row({
  title,
  text,
  checked,
  disabled,
  onChange,
}: {
  title: string;
  text: string;
  checked: boolean;
  disabled: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <li className="flex items-center gap-3 px-4 py-2 text-13">
      <span className="min-w-0 flex-1">
        <b className="font-medium">{title}</b>
        <span className="block text-12 text-ink-3">{text}</span>
      </span>
      <Switch checked={checked} onChange={onChange} label={title} disabled={disabled} />
    </li>
  );
}
