import { apiError, badRequest, type ApiError } from '../api/api-error.ts';
import type { Revision } from '../api/revision.ts';
import type { VisibleParts } from '../access/authorization/parts/visible-parts.ts';
import type { Authorizer } from '../access/authorization/authorizer.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../http/exchange.ts';
import { listOptionsFrom } from '../registry/list-options.ts';
import type { ListResult } from '../registry/list-result.ts';
import { list } from '../registry/list.ts';
import type { RegistryParts } from '../registry/parts.ts';
import { prepared } from '../registry/prepared.ts';
import { projectionFrom, type Projection } from '../registry/projection.ts';
import { LATEST } from '../watch/reader.ts';
import { answerInPieces } from '../wire/answer.ts';
import { jsonEnvelope } from '../wire/list-envelope.ts';
import { plainForm } from '../wire/list-form.ts';
import { listPieces } from '../wire/list-pieces.ts';
import { askedOf, isForPart, noteForAudit, refusalFor, type Asked } from './asked.ts';
import { QUERY_API_VERSION } from './paths.ts';
import { checkNumber, questionOfText, type Question } from './question.ts';

interface SnapshotOptions {
  readonly parts: RegistryParts;
  readonly authorizer: Authorizer;
  readonly aliases: boolean;
  readonly visible: VisibleParts;
}

interface OneList {
  readonly asked: Asked;
  readonly result: ListResult;
  readonly projection: Projection | undefined;
}

/**
 * Lists of several resources at one revision: each of them, or all together,
 * can be watched from there on. The lists are written one after the other, so
 * the answer takes bounded memory.
 *
 * @throws ApiError 400, 403 with every list that is refused, 404, 410, 504
 */
export async function snapshot(
  { parts, authorizer, aliases, visible }: SnapshotOptions,
  exchange: Exchange,
): Promise<ApiResponse> {
  const questions = questionsOfRequest(exchange);
  await parts.reader.freshness.fresh(exchange);
  const asking = { catalog: parts.catalog, user: exchange.user, aliases };
  const all = questions.map((question) => askedOf(asking, question, 'list'));
  const partial = await checkRights(authorizer, all);
  for (const asked of all) noteForAudit(exchange, asked);
  const revision = await presentRevision(parts, all, exchange);
  const lists: OneList[] = [];
  for (const asked of all) {
    const { resource } = asked.target;
    await prepared(resource, 'list', parts.clock);
    const sent = listOptionsFrom(asked.question.query, false);
    const projection = projectionFrom(asked.question.query, resource);
    const isPart = partial.has(asked);
    const rights = isPart ? visible.once(asked.attributes) : undefined;
    if (isPart) exchange.warnings.add(`${asked.question.id}: this is the part that you may list`);
    const exact = { resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
    const result = await list(parts, asked.target, { ...sent, ...exact, rights }, exchange);
    lists.push({ asked, result, projection });
  }
  const json = { format: 'json', pretty: false, conversion: undefined } as const;
  return answerInPieces(exchange, 200, json, pieces(parts, revision, lists));
}

function questionsOfRequest({ request }: Exchange): Question[] {
  const texts = request.query.getAll('resources');
  if (texts.length === 0) {
    throw badRequest(
      'resources: must name the resources to list, for example resources=configmaps/default',
    );
  }
  checkNumber(texts.length, 'resources');
  return texts.map((text, i) => questionOfText(text, `resources[${i}]`));
}

/**
 * Answers the lists of which the user may see a part only, and has asked for that.
 *
 * @throws ApiError 403 that says of every list why it is refused
 */
async function checkRights(
  authorizer: Authorizer,
  all: readonly Asked[],
): Promise<ReadonlySet<Asked>> {
  const partial = new Set<Asked>();
  const refused: [Asked, ApiError][] = [];
  for (const asked of all) {
    const refusal = await refusalFor(authorizer, asked);
    if (refusal === undefined) continue;
    if (isForPart(asked)) partial.add(asked);
    else refused.push([asked, refusal]);
  }
  const [first] = refused;
  if (first === undefined) return partial;
  const failed = refused.find(([, { code }]) => code !== 403);
  if (failed !== undefined) throw failed[1];
  const causes = refused.map(([{ question }, { message }]) => ({
    ...{ reason: 'Forbidden', message, field: question.id },
  }));
  const names = refused.map(([{ question }]) => question.id).join(', ');
  throw apiError(403, 'Forbidden', `forbidden: these lists are refused: ${names}`, { causes });
}

async function presentRevision(
  { reader }: RegistryParts,
  [first]: readonly Asked[],
  caller: Exchange,
): Promise<Revision> {
  if (first === undefined) throw badRequest('resources: must not be empty');
  const { revision } = await reader.snapshot(first.target.resource.prefix, LATEST, caller);
  return revision;
}

async function* pieces(
  { views, clock }: RegistryParts,
  revision: Revision,
  lists: readonly OneList[],
): AsyncGenerator<Buffer, void> {
  const metadata = { resourceVersion: String(revision) };
  const head = JSON.stringify({ kind: 'Snapshot', apiVersion: QUERY_API_VERSION, metadata });
  yield Buffer.from(`${head.slice(0, -1)},"lists":[`);
  let separator = '';
  for (const { asked, result, projection } of lists) {
    const { resource } = asked.target;
    const { continueToken, remaining, chunks } = result;
    const form = plainForm(resource, { revision: String(revision), continueToken, remaining });
    const show = projection?.show ?? ((bytes: Buffer) => bytes);
    const source = {
      chunks,
      sizeOf: ({ bytes }: Parameters<typeof views.bytes>[1]) => bytes.length,
      write(slabs: Parameters<typeof form.write>[0], entry: Parameters<typeof views.bytes>[1]) {
        const bytes = views.bytes(resource, entry);
        if (bytes instanceof Promise) return bytes.then((ready) => form.write(slabs, show(ready)));
        form.write(slabs, show(bytes));
        return undefined;
      },
    };
    yield Buffer.from(`${separator}{"id":${JSON.stringify(asked.question.id)},"list":`);
    yield* listPieces(source, jsonEnvelope(form.head), clock);
    yield Buffer.from('}');
    separator = ',';
  }
  yield Buffer.from(']}\n');
}
