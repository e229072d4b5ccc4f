/** What a pattern makes of itself when it is compiled. */
export interface PatternSize {
  /** Nanoseconds that compiling takes, roughly and rather too many. */
  readonly work: number;
  /** Instructions of the program, in which counted repetitions are written out. */
  readonly instructions: number;
}

/** Work of reading, besides that of the instructions which come of it. */
const PROPERTY_WORK = 30_000;
const FOLDED_PROPERTY_WORK = 75_000;
/** For each group around a group: what is put together in one is looked at again in all of these. */
const NESTED_GROUP_WORK = 50;
/** The characters of a list are put in order; those of a short one count for nothing. */
const LISTED_CHARACTER_WORK = 1_500;
const SHORT_LIST = 256;
/** Inside of brackets the parts of a property are put in order with those before. */
const LISTED_PROPERTY_WORK = 300_000;
export const INSTRUCTION_WORK = 2_000;
/** Ignoring case, each character of a range is looked up, up to the last that has another case. */
const FOLDED_CHARACTER_WORK = 25;
const LAST_FOLDED = 0x1e943;

/** Longer patterns are refused. */
const MAX_LENGTH = 16 * 1024;
/** Patterns that take longer to compile are refused: nothing else is served meanwhile. */
const MAX_WORK = 50_000_000;

const PROPERTY_INSTRUCTIONS = 3;
const IGNORES_CASE = /\(\?[a-zA-Z-]*i/;
const GROUP_HEAD = /\?(?:P?<[^>]{0,64}>|[a-zA-Z-]*:?)/y;
const COUNTS = /\{(\d{1,9})(?:(,)(\d{0,9}))?\}/y;
const BRACES = /\{[^}]{0,64}\}/y;
const HEXADECIMAL = /\\x(?:\{([0-9a-fA-F]{1,8})\}|([0-9a-fA-F]{2}))/y;
const CLASS_NAME = /\[:\^?[a-z]+:\]/y;

/**
 * How large a pattern is for an engine of the RE2 kind, found in one walk over
 * its text. Lengths say little: `\pL` is a table, `a{1000}` a thousand
 * instructions, a range that ignores case up to a hundred thousand look-ups.
 */
function patternSize(pattern: string): PatternSize {
  return new PatternWalk(pattern).size();
}

/** The size of a pattern, or, in words that follow its name, why it is not compiled. */
export function acceptedSize(pattern: string): PatternSize | string {
  if (pattern.length > MAX_LENGTH) return `longer than ${MAX_LENGTH} characters`;
  const size = patternSize(pattern);
  return size.work > MAX_WORK
    ? 'too large: compiling its repetitions, classes and ranges would take too long'
    : size;
}

class PatternWalk {
  readonly #text: string;
  readonly #folds: boolean;
  #at = 0;
  #reading = 0;
  /** Instructions of the groups that are open, outermost first, and of the last thing that was read. */
  readonly #groups = [0];
  #last = 0;

  constructor(text: string) {
    this.#text = text;
    this.#folds = IGNORES_CASE.test(text);
  }

  size(): PatternSize {
    while (this.#at < this.#text.length) this.#step();
    const instructions = this.#groups.reduce((sum, group) => sum + group, 0);
    return { work: this.#reading + instructions * INSTRUCTION_WORK, instructions };
  }

  #step(): void {
    switch (this.#text.charAt(this.#at)) {
      case '\\':
        this.#escape();
        return;
      case '[':
        this.#list();
        return;
      case '(':
        this.#at++;
        this.#skip(GROUP_HEAD);
        this.#reading += this.#groups.length * NESTED_GROUP_WORK;
        this.#groups.push(0);
        return;
      case ')':
        this.#at++;
        this.#add(2 + (this.#groups.length > 1 ? (this.#groups.pop() ?? 0) : 0));
        return;
      case '{':
        this.#repeat();
        return;
      default:
        this.#at++;
        this.#add(1);
    }
  }

  #add(instructions: number): void {
    this.#last = instructions;
    this.#groups[this.#groups.length - 1] = (this.#groups.at(-1) ?? 0) + instructions;
  }

  /** `{n}`, `{n,}` and `{n,m}` write out what stands before them; what is optional is an instruction more. */
  #repeat(): void {
    COUNTS.lastIndex = this.#at;
    const counts = COUNTS.exec(this.#text);
    if (counts === null) {
      this.#at++;
      this.#add(1);
      return;
    }
    this.#at = COUNTS.lastIndex;
    const [, least = '', comma, most = ''] = counts;
    const times = Math.max(1, Number(least), Number(most));
    const each = this.#last + (comma === undefined ? 0 : 1);
    const before = this.#last;
    this.#add(times * each - before);
    this.#last = times * each;
  }

  #escape(): void {
    const letter = this.#text.charAt(this.#at + 1);
    if (letter === 'Q') {
      const end = this.#text.indexOf('\\E', this.#at);
      const length = (end < 0 ? this.#text.length : end) - this.#at;
      this.#at += length + (end < 0 ? 0 : 2);
      this.#add(length);
      this.#last = 1;
      return;
    }
    const isProperty = this.#passEscape(letter);
    if (isProperty) this.#reading += this.#folds ? FOLDED_PROPERTY_WORK : PROPERTY_WORK;
    this.#add(isProperty ? PROPERTY_INSTRUCTIONS : 1);
  }

  /** True for a property, such as `\pL` and `\P{Greek}`. */
  #passEscape(letter: string): boolean {
    const isProperty = letter === 'p' || letter === 'P';
    this.#at += 2;
    if (isProperty && this.#text.charAt(this.#at) !== '{') this.#at++;
    else if (isProperty || letter === 'x') this.#skip(BRACES);
    return isProperty;
  }

  /** `[…]`. */
  #list(): void {
    const start = this.#at;
    this.#at++;
    if (this.#text.charAt(this.#at) === '^') this.#at++;
    let instructions = 1;
    // a bracket in the first place stands for itself
    for (let first = true; this.#at < this.#text.length; first = false) {
      const character = this.#text.charAt(this.#at);
      if (character === ']' && !first) break;
      if (character === '\\') {
        if (!this.#passEscape(this.#text.charAt(this.#at + 1))) continue;
        this.#reading += LISTED_PROPERTY_WORK;
        instructions = PROPERTY_INSTRUCTIONS;
      } else if (!this.#skip(CLASS_NAME)) {
        this.#at++;
        if (character === '-' && this.#folds) this.#reading += this.#rangeWork();
      }
    }
    this.#at++;
    this.#reading += Math.max(0, this.#at - start - SHORT_LIST) * LISTED_CHARACTER_WORK;
    this.#add(instructions);
  }

  /** Work of a range that ignores case, by where it ends. */
  #rangeWork(): number {
    let end = this.#text.codePointAt(this.#at) ?? 0;
    if (this.#text.charAt(this.#at) === '\\') {
      HEXADECIMAL.lastIndex = this.#at;
      const [, long, short = '7f'] = HEXADECIMAL.exec(this.#text) ?? [];
      end = Number.parseInt(long ?? short, 16);
    }
    return Math.min(end, LAST_FOLDED) * FOLDED_CHARACTER_WORK;
  }

  #skip(part: RegExp): boolean {
    part.lastIndex = this.#at;
    if (!part.test(this.#text)) return false;
    this.#at = part.lastIndex;
    return true;
  }
}
