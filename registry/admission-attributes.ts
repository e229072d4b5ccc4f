import { isNamespace, type AdmissionAttributes, type Operation } from '../admission/attributes.ts';
import type { KindAccess } from '../admission/kind-access.ts';
import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import { deepFreeze } from '../api/freeze.ts';
import { deepClone, type JsonObject } from '../api/json.ts';
import { frozenSteps } from '../api/json-steps.ts';
import type { ApiObject } from '../api/object.ts';
import { inTurns } from '../api/steps.ts';
import type { UserInfo } from '../api/user.ts';
import type { Warnings } from '../api/warnings.ts';
import type { WhileWaiting } from '../api/while-waiting.ts';
import { kindAccess } from './kind-access.ts';
import type { RegistryParts } from './parts.ts';
import { optionsObject } from './write-options.ts';
import type { WriteRequest } from './write-request.ts';

/** A write as admission sees it. What few plugins look at is made when it is looked at. */
export class WriteAttributes implements AdmissionAttributes {
  readonly operation: Operation;
  readonly name: string;
  readonly pathName: string;
  readonly namespace: string;
  object: ApiObject | undefined;
  readonly #parts: RegistryParts;
  readonly #request: WriteRequest;
  readonly #old: ApiObject | undefined;
  #frozenOld: ApiObject | undefined;
  #options: JsonObject | undefined;

  constructor(
    parts: RegistryParts,
    request: WriteRequest,
    operation: Operation,
    object: ApiObject | undefined,
    old: ApiObject | undefined,
  ) {
    this.#parts = parts;
    this.#request = request;
    this.#old = old;
    this.operation = operation;
    this.object = object;
    const { target } = request;
    this.pathName = request.pathName ?? target.name;
    this.name =
      target.name === '' && object !== undefined ? (object.metadata.name ?? '') : target.name;
    this.namespace = isNamespace(this) ? this.name : target.namespace;
  }

  get resource(): GroupVersionResource {
    return this.#request.target.resource.resource;
  }
  get subresource(): string {
    return this.#request.subresource;
  }
  get kind(): GroupVersionKind {
    return this.#request.target.resource.kind;
  }
  get dryRun(): boolean {
    return this.#request.options.dryRun;
  }
  get user(): UserInfo {
    return this.#request.context.user;
  }
  get warnings(): Warnings {
    return this.#request.context.warnings;
  }
  get audit(): Map<string, string> {
    return this.#request.context.audit;
  }
  get signal(): AbortSignal | undefined {
    return this.#request.context.signal;
  }
  get deadline(): number | undefined {
    return this.#request.context.deadline;
  }
  get whileWaiting(): WhileWaiting | undefined {
    return this.#request.context.whileWaiting;
  }

  get access(): KindAccess {
    return kindAccess(this.#parts, this.#request.target.resource, this.subresource);
  }

  get oldObject(): ApiObject | undefined {
    this.#frozenOld ??= this.#old && deepFreeze(deepClone(this.#old));
    return this.#frozenOld;
  }

  async prepareOldObject(): Promise<void> {
    if (this.#old === undefined) return;
    this.#frozenOld ??= await inTurns(frozenSteps(this.#old));
  }

  get options(): JsonObject {
    const { optionsObject: given, options } = this.#request;
    this.#options ??=
      given ??
      optionsObject(this.operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions', options);
    return this.#options;
  }
}
