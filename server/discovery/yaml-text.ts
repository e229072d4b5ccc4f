import { isObject, type JsonValue } from '../../api/json.ts';

/** Texts that mean the same with and without quotes, whatever version of YAML reads them. */
const PLAIN = /^[A-Za-z][\w./-]*$/;
const RESERVED = /^(?:y|yes|n|no|true|false|on|off|null)$/i;

/**
 * A document of the server's own as YAML in block style. For values that come
 * from code, where speed counts and comments, anchors and folded texts do not.
 */
export function yamlText(value: JsonValue): string {
  const lines: string[] = [];
  write(value, '', '', lines);
  return lines.join('\n') + '\n';
}

/** Appends the lines of a value: the first one after `head`, the others after `indent`. */
function write(value: JsonValue, head: string, indent: string, lines: string[]): void {
  if (Array.isArray(value) && value.length > 0) {
    if (head !== '' && !head.endsWith('- ')) lines.push(head.trimEnd());
    const first = head.endsWith('- ') ? head : indent;
    value.forEach((item, i) => write(item, `${i === 0 ? first : indent}- `, `${indent}  `, lines));
    return;
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    if (head !== '' && !head.endsWith('- ')) lines.push(head.trimEnd());
    let start = head.endsWith('- ') ? head : indent;
    for (const [key, item] of Object.entries(value)) {
      const inner = isObject(item) ? `${indent}  ` : indent;
      write(item, `${start}${scalar(key)}: `, inner, lines);
      start = indent;
    }
    return;
  }
  lines.push(head + scalar(value));
}

function scalar(value: JsonValue): string {
  if (typeof value === 'string') {
    return PLAIN.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value);
  }
  if (typeof value === 'bigint') return value.toString();
  return JSON.stringify(value);
}
