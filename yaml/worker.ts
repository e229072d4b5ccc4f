import { parentPort } from 'node:worker_threads';
import { parseStoredJson } from '../api/json-parse.ts';
import { stringifyJson } from '../api/json-write.ts';
import { yamlOf } from './emit.ts';
import { parseYaml } from './parse.ts';
import { YamlSyntaxError } from './source.ts';
import type { YamlAnswer, YamlQuestion } from './worker-messages.ts';

/* Runs in a thread of its own: turns YAML into JSON and JSON into YAML, one text after the other. */

function answer(question: YamlQuestion): YamlAnswer {
  const { id } = question;
  if ('json' in question)
    return { id, yaml: yamlOf(parseStoredJson(question.json), question.form) };
  try {
    const { value, duplicates } = parseYaml(question.text);
    return { id, json: stringifyJson(value), duplicates };
  } catch (error) {
    if (error instanceof YamlSyntaxError) return { id, refused: error.message };
    throw error;
  }
}

parentPort?.on('message', (question: YamlQuestion) => parentPort?.postMessage(answer(question)));
