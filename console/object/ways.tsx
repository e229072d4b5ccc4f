import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Dependent } from './dependents.ts';
import type { Way } from './going.ts';

interface WaysProps {
  readonly way: Signal<Way>;
  /** One object is deleted, not several. */
  readonly isOne: boolean;
  /** What the objects own themselves, as far as it is known. */
  readonly direct: readonly Dependent[];
}

/** The choice what becomes of what the objects own. */
export function Ways({ way, isOne, direct }: WaysProps): JSX.Element {
  const blocking = direct.filter(({ isBlocking }) => isBlocking).length;
  const [waits, stays] = isOne
    ? ['The object does not wait', 'The object stays']
    : ['The objects do not wait', 'The objects stay'];
  const ways: readonly (readonly [Way, string, string])[] = [
    ['Background', 'Delete them afterwards', `${waits} for them.`],
    [
      'Foreground',
      'Delete them first',
      `${stays} until those that block the deletion are gone: ${blocking} of ${direct.length}.`,
    ],
    ['Orphan', 'Keep them', 'They stay, without this owner.'],
  ];
  return (
    <fieldset>
      <legend>Objects that {isOne ? 'it owns' : 'they own'}</legend>
      {ways.map(([id, title, text]) => (
        <label key={id} class="check">
          <input
            type="radio"
            name="way"
            checked={way.value === id}
            onChange={() => (way.value = id)}
          />
          <span>
            {title} <small class="dim">{text}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
