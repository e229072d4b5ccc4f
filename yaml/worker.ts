import { parentPort } from 'node:worker_threads';
import { stringifyJson } from '../api/json-write.ts';
import { parseYaml } from './parse.ts';
import { YamlSyntaxError } from './source.ts';
import type { YamlAnswer, YamlQuestion } from './worker-messages.ts';

/* Runs in a thread of its own: turns YAML into JSON, one text after the other. */

function answer({ id, text }: YamlQuestion): YamlAnswer {
  try {
    const { value, duplicates } = parseYaml(text);
    return { id, json: stringifyJson(value), duplicates };
  } catch (error) {
    if (error instanceof YamlSyntaxError) return { id, refused: error.message };
    throw error;
  }
}

parentPort?.on('message', (question: YamlQuestion) => parentPort?.postMessage(answer(question)));
