import { readFileSync } from 'node:fs';
import type { UserInfo } from '../../../api/user.ts';
import type {
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorizer,
  UserRules,
} from '../authorizer.ts';
import { AuthorizerChain, mastersAuthorizer } from '../authorizers.ts';
import { parseAuthorizationConfiguration, type AuthorizerConfiguration } from './configuration.ts';

/** An authorizer of a configuration, and the files that it was made from. */
interface ConfiguredAuthorizer {
  readonly authorizer: Authorizer;
  readonly files: readonly string[];
}

/** The authorizers that a file names, until it names others. */
export class ConfiguredAuthorizers implements Authorizer {
  readonly name = 'Chain';
  readonly #file: string;
  readonly #make: (configuration: AuthorizerConfiguration) => ConfiguredAuthorizer;
  #chain: Authorizer;
  #files: readonly string[];

  /** @throws Error that names file and field */
  constructor(
    file: string,
    make: (configuration: AuthorizerConfiguration) => ConfiguredAuthorizer,
  ) {
    this.#file = file;
    this.#make = make;
    ({ chain: this.#chain, files: this.#files } = this.#read());
  }

  /** To be watched for changes. */
  get files(): readonly string[] {
    return this.#files;
  }

  /** What webhooks have answered is forgotten. @throws Error; then everything stays */
  reload(): void {
    ({ chain: this.#chain, files: this.#files } = this.#read());
  }

  authorize(
    attributes: AuthorizationAttributes,
  ): AuthorizationDecision | Promise<AuthorizationDecision> {
    return this.#chain.authorize(attributes);
  }

  rulesFor(user: UserInfo, namespace: string): UserRules | undefined {
    return this.#chain.rulesFor(user, namespace);
  }

  #read(): { chain: Authorizer; files: readonly string[] } {
    let made: ConfiguredAuthorizer[];
    try {
      made = parseAuthorizationConfiguration(readFileSync(this.#file, 'utf8')).map(this.#make);
    } catch (error) {
      throw new Error(`--authorization-config ${this.#file}: ${(error as Error).message}`, {
        cause: error,
      });
    }
    return {
      chain: new AuthorizerChain([mastersAuthorizer, ...made.map(({ authorizer }) => authorizer)]),
      files: [this.#file, ...made.flatMap(({ files }) => files)],
    };
  }
}
