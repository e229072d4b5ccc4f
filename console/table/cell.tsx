import type { JSX } from 'preact';
import { shortText, type Json } from '../api/json.ts';
import { Age, Ahead, localTime } from '../parts/time.tsx';
import { toneOf } from '../parts/tone.ts';
import type { Column, Row } from './rows.ts';

const STATES = /status|state|phase|ready|available|condition|established|health/i;

/** A moment that the server has not turned into an age. */
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Whether a column shows how long ago the object was made: counted here, so that it goes on. */
function isAge({ name, type }: Column): boolean {
  return name === 'Age' && (type === 'string' || type === 'date');
}

/** What a cell shows. Text from the server stays text. */
export function Cell({
  row,
  column,
  value,
}: {
  readonly row: Row;
  readonly column: Column;
  readonly value: Json | undefined;
}): JSX.Element | string {
  if (isAge(column) && row.created !== '') return <Age time={row.created} />;
  const text = shortText(value);
  if (column.type === 'date' && MOMENT.test(text)) {
    return (
      <time dateTime={text} title={text}>
        {localTime(text)}
        <Ahead time={text} />
      </time>
    );
  }
  if (!STATES.test(column.name)) return text;
  const tone = toneOf(text);
  return tone === '' ? text : <span class={`state ${tone}`}>{text}</span>;
}

/** Whether numbers of a column stand at its right edge. */
export function isNumeric({ type }: Column): boolean {
  return type === 'integer' || type === 'number';
}
