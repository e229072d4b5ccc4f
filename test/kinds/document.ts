import type { ServedResource } from '../../registry/served-resource.ts';
import { KINDS, operationsOf, type Operation, type Parameter } from './operations.ts';

/** How docs/resources.md is generated. */
export const REGENERATE = 'npm run docs:resources';

/** docs/resources.md: every kind with its operations, as the definitions have them. */
export function resourcesDocument(): string {
  const operations = KINDS.map(operationsOf);
  return (
    [
      '# Resources',
      `Every kind that the server brings along and what can be done with it. This page is made from the definitions in \`resources/\` by \`${REGENERATE}\`; a test fails when it is out of date. Custom resources get the same operations, \`/status\` and \`/scale\` where their definition has them.`,
      'Every operation may answer 401, 403, 429 and 5xx with a Status; what else it refuses, it says in a Status, too. Paths of collections also serve watches; `/watch/` before the resource is an older way to say so. Kinds behind a feature gate are shown as if it were on.',
      '## Parameters',
      'All are part of the query, except `name` and `namespace`, which are parts of the path.',
      parameterTable(operations.flat().flatMap(({ parameters }) => parameters)),
      ...KINDS.flatMap((resource, i) => [
        `## ${resource.kind.kind}`,
        aboutKind(resource),
        operationTable(operations[i] ?? []),
      ]),
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  );
}

function parameterTable(parameters: readonly Parameter[]): string {
  const byName = new Map(
    parameters.filter(({ in: where }) => where === 'query').map((each) => [each.name, each]),
  );
  const rows = [...byName.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, description }) => [`\`${name}\``, type, description]);
  return table(['Parameter', 'Type', 'Meaning'], rows);
}

function aboutKind({ apiVersion, definition, version }: ServedResource): string {
  const { names, namespaced } = definition;
  const list = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ');
  const facts = [
    `\`apiVersion: ${apiVersion}\`, ${namespaced ? 'namespaced' : 'cluster-wide'}`,
    `resource \`${names.plural}\``,
    names.shortNames.length === 0 ? '' : `short ${list(names.shortNames)}`,
    names.categories.length === 0 ? '' : `categories ${list(names.categories)}`,
    `columns ${version.columns.map(({ name }) => name).join(', ')}`,
    version.selectableFields.size === 0
      ? ''
      : `field selectors ${list([...version.selectableFields.keys()])}`,
    version.deprecation === undefined ? '' : 'deprecated',
  ];
  const description = version.schema().typed?.description ?? '';
  return `${description}\n\n${facts.filter((fact) => fact !== '').join(' · ')}`;
}

function operationTable(operations: readonly Operation[]): string {
  const rows = operations.map(({ name, method, path, parameters, body, bodyRequired, answers }) => [
    name,
    `\`${method} ${path}\``,
    parameters
      .filter(({ in: where }) => where === 'query')
      .map((parameter) => parameter.name)
      .sort()
      .join(', '),
    body === undefined ? '–' : `${body}${bodyRequired ? '' : ' (optional)'}`,
    answerText(answers),
  ]);
  return table(['Operation', 'Path', 'Parameters', 'Body', 'Answers'], rows);
}

/** `200, 201 Lease`: all codes of success have the same kind. */
function answerText(answers: Operation['answers']): string {
  const good = Object.entries(answers).filter(([, kind]) => kind !== '');
  return `${good.map(([code]) => code).join(', ')} ${good[0]?.[1] ?? ''}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');
}
