import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import ts from 'typescript-6';

/*
 * Work on objects is written once, in steps that yield. A small object needs no
 * rest, and the steps would cost it half as much again: for it the same functions
 * are made without the rests, one file for each of these.
 */
export const SOURCES = [
  'patch/json-patch.ts',
  'patch/merge-patch.ts',
  'patch/strategic.ts',
  'patch/strategic-list.ts',
  'schema/typed/decode.ts',
  ...[
    'apply-configuration',
    'compare',
    'conflicts',
    'entry-times',
    'field-set',
    'fields-v1',
    'held-fields',
    'managers',
    'merge',
    'merge-list',
    'ownership',
    'prune',
    'reconcile',
    'remove',
    'typed-check',
    'update-managers',
    'value-fields',
    'view',
  ].map((name) => `patch/apply/${name}.ts`),
];

/** What functions in steps are called without them; others keep their names. */
const NAMES: Record<string, string> = {
  applySteps: 'applyConfiguration',
  compareSteps: 'compareObjects',
  conflictSteps: 'listConflicts',
  decodeTypedSteps: 'decodeTyped',
  differenceSteps: 'difference',
  equalButForTimesSteps: 'equalButForTimes',
  fieldsV1Steps: 'readFieldsV1',
  fieldsSteps: 'fieldsOfValue',
  heldSteps: 'heldFields',
  managersSteps: 'readManagers',
  pathTextsSteps: 'pathTexts',
  mergeItemsSteps: 'mergeItems',
  reconcileSteps: 'reconcileFields',
  removeSteps: 'removeFields',
  viewSteps: 'viewOf',
  copySteps: 'copyInto',
  equalButForSteps: 'equalButFor',
  strategicSteps: 'applyStrategicMergePatch',
  intersectionSteps: 'intersection',
  jsonPatchSteps: 'applyJsonPatch',
  mergePatchSteps: 'applyMergePatch',
  mergeSteps: 'mergeObjects',
  typedSteps: 'typedProblems',
  unionSteps: 'union',
  updateSteps: 'updateManagers',
};

/** Functions in steps that have another form already, and the file that has it. */
const OTHERS: Record<string, readonly [name: string, file: string]> = {
  cloneSteps: ['deepClone', 'api/json.ts'],
  equalSteps: ['deepEqual', 'api/json.ts'],
};

export const twinPath = (source: string): string => source.replace(/\.ts$/, '-at-once.ts');

/** The file with the functions of `source` that have steps, without the steps. */
export async function twinOf(source: string): Promise<string> {
  const file = parse(source, readFileSync(source, 'utf8'));
  const inSteps = file.statements.filter(hasSteps);
  const body = inSteps.map((node) => withoutSteps(node.getFullText(file).trim())).join('\n\n');
  const text = `// Made from ${basename(source)} by \`npm run generate:twins\`: the same without rests.\n${importsFor(body, source, file)}\n${body}\n`;
  const options = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code, errors } = await format(source, text, options);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}

function parse(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
}

function hasSteps(node: ts.Statement): boolean {
  return ts.isFunctionDeclaration(node)
    ? node.asteriskToken !== undefined
    : ts.isTypeAliasDeclaration(node) && node.getText().includes('Steps<');
}

function withoutSteps(code: string): string {
  let text = code
    .replaceAll(/\n *if \(isStepOver\(\)\) yield;/g, '')
    .replaceAll(/\n *yield;/g, '')
    .replaceAll(/yield\* shallowSteps\((\w+)\)/g, '{ ...$1 }')
    .replaceAll('yield* ', '')
    .replaceAll('function* ', 'function ');
  for (let at = text.indexOf('Steps<'); at >= 0; at = text.indexOf('Steps<')) {
    const end = closing(text, at + 'Steps<'.length);
    text = text.slice(0, at) + text.slice(at + 'Steps<'.length, end) + text.slice(end + 1);
  }
  for (const [before, after] of Object.entries(NAMES)) {
    text = text.replaceAll(new RegExp(`\\b${before}\\b`, 'g'), after);
  }
  for (const [before, [after]] of Object.entries(OTHERS)) {
    text = text.replaceAll(new RegExp(`\\b${before}\\b`, 'g'), after);
  }
  return text;
}

/** Position of the `>` that closes what was opened before `start`. */
function closing(text: string, start: number): number {
  let open = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '<') open++;
    else if (text[at] === '>' && text[at - 1] !== '=' && --open === 0) return at;
  }
  throw new Error('a type has no end');
}

interface Origin {
  readonly file: string;
  readonly isType: boolean;
}

function importsFor(body: string, source: string, file: ts.SourceFile): string {
  const origins = originsIn(source, file);
  const byFile = new Map<string, string[]>();
  for (const name of identifiersOf(body)) {
    const origin = origins.get(name);
    if (origin === undefined) continue;
    const names = byFile.get(origin.file) ?? [];
    byFile.set(origin.file, names);
    names.push(origin.isType ? `type ${name}` : name);
  }
  const lines = [...byFile].map(([from, names]) => {
    const path = relative(dirname(source), from);
    const all = names.every((name) => name.startsWith('type '));
    const bare = (name: string): string => name.replace(/^type /, '');
    names.sort((a, b) => (bare(a) < bare(b) ? -1 : 1));
    const clause = all ? names.map(bare) : names;
    const target = path.startsWith('.') ? path : `./${path}`;
    return `import ${all ? 'type ' : ''}{ ${clause.join(', ')} } from '${target}';`;
  });
  return lines.sort().join('\n') + '\n';
}

/** Where the names come from that the functions without steps may use. */
function originsIn(source: string, file: ts.SourceFile): Map<string, Origin> {
  const origins = new Map<string, Origin>();
  for (const [name, from] of Object.values(OTHERS))
    origins.set(name, { file: from, isType: false });
  for (const node of file.statements) {
    if (ts.isImportDeclaration(node)) addImports(origins, source, node);
    else if (!hasSteps(node)) {
      const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
      for (const name of namesOf(node)) origins.set(name, { file: source, isType });
    }
  }
  return origins;
}

function addImports(
  origins: Map<string, Origin>,
  source: string,
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
): void {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return;
  const from = join(dirname(source), (moduleSpecifier as ts.StringLiteral).text);
  const twins = SOURCES.includes(from) ? stepsOf(from) : [];
  const isOfTypes = (node: ts.Node): boolean => /^(?:import )?type\b/.test(node.getText());
  for (const element of bindings.elements) {
    const { name } = element;
    const isType = isOfTypes(element) || isOfTypes(bindings.parent.parent);
    const hasTwin = twins.includes(name.text);
    const known = NAMES[name.text] ?? name.text;
    origins.set(known, { file: hasTwin ? twinPath(from) : from, isType });
  }
}

function stepsOf(source: string): string[] {
  return parse(source, readFileSync(source, 'utf8')).statements.filter(hasSteps).flatMap(namesOf);
}

function namesOf(node: ts.Statement): string[] {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = node as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText()];
}

function identifiersOf(body: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    node.forEachChild(visit);
  };
  visit(parse('body.ts', body));
  return names;
}
