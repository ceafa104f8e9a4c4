import type { Input } from './input.ts'
import type { Source } from './source.ts'

/** Counted from 1, as editors do. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** The text is not JSON; says where, and what was expected there. */
export class JsonProblem extends Error {
  readonly position: Position

  constructor(sentence: string, position: Position) {
    super(sentence)
    this.position = position
  }
}

// A settings file nests five levels; the limit only keeps a broken generator from overflowing the stack.
const DEEPEST = 100

const BLANK = /[ \t\r\n]*/y
const STRING = /"(?:[ !#-[\]-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORD = /true|false|null/y

/**
 * Parses JSON (RFC 8259) and keeps the position of everything. `JSON.parse` reports neither where an error is (its
 * message carries no position on some Node versions) nor that a key was given twice, of which it silently takes the
 * last.
 */
export function parseJson(text: string, sourceAt: (position: Position) => Source): Input {
  const scanner = new Scanner(text.startsWith('\uFEFF') ? text.slice(1) : text, sourceAt)
  const document = scanner.value(0)
  scanner.end()
  return document
}

class Scanner {
  readonly #text: string
  readonly #sourceAt: (position: Position) => Source
  #offset = 0
  #line = 1
  #lineStart = 0

  constructor(text: string, sourceAt: (position: Position) => Source) {
    this.#text = text
    this.#sourceAt = sourceAt
    this.#take(BLANK)
  }

  value(depth: number): Input {
    const source = this.#here()
    if (depth > DEEPEST) throw this.#problem(`values nest deeper than ${DEEPEST} levels`)
    if (this.#skip('{')) return { kind: 'parts', parts: this.#members(depth), source }
    if (this.#skip('[')) return { kind: 'list', items: this.#items(depth), source }
    return { kind: 'scalar', value: this.#scalar(), source }
  }

  end(): void {
    if (this.#offset < this.#text.length) throw this.#problem('there is something after the end of the document')
  }

  #members(depth: number): Map<string, Input> {
    const members = new Map<string, Input>()
    if (this.#skip('}')) return members
    do {
      const source = this.#here()
      const name = this.#name(members)
      this.#expect(':', `":" after the key "${name}"`)
      // The key's position is used for the value too: there is one place to look at per setting.
      members.set(name, { ...this.value(depth + 1), source })
    } while (this.#skip(','))
    this.#expect('}', '"," or "}"')
    return members
  }

  #name(members: ReadonlyMap<string, Input>): string {
    const start = this.#offset
    const token = this.#take(STRING)
    if (token === undefined) throw this.#problem('expected a key in double quotes')
    const name = JSON.parse(token) as string
    if (members.has(name)) throw this.#problem(`the key "${name}" is given twice in one object`, start)
    this.#take(BLANK)
    return name
  }

  #items(depth: number): Input[] {
    const items: Input[] = []
    if (this.#skip(']')) return items
    do items.push(this.value(depth + 1))
    while (this.#skip(','))
    this.#expect(']', '"," or "]"')
    return items
  }

  #scalar(): string | number | boolean | null {
    const token = this.#take(STRING) ?? this.#take(NUMBER) ?? this.#take(WORD)
    if (token === undefined)
      throw this.#problem(this.#atQuote() ? 'the text is not closed or not escaped' : 'expected a value')
    this.#take(BLANK)
    return JSON.parse(token) as string | number | boolean | null
  }

  #atQuote(): boolean {
    return this.#text[this.#offset] === '"'
  }

  #expect(character: string, expected: string): void {
    if (!this.#skip(character)) throw this.#problem(`expected ${expected}`)
  }

  #skip(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false
    this.#offset += 1
    this.#take(BLANK)
    return true
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#offset
    const found = token.exec(this.#text)?.[0]
    if (token === BLANK) this.#countLines(found ?? '')
    this.#offset += found?.length ?? 0
    return found
  }

  // Only blanks contain line ends: JSON requires them escaped inside texts.
  #countLines(blank: string): void {
    this.#line += blank.split('\n').length - 1
    if (blank.includes('\n')) this.#lineStart = this.#offset + blank.lastIndexOf('\n') + 1
  }

  #here(): Source {
    return this.#sourceAt(this.#position(this.#offset))
  }

  #problem(sentence: string, offset = this.#offset): JsonProblem {
    const atEnd = offset >= this.#text.length ? ', but the document ends here' : ''
    return new JsonProblem(sentence + atEnd, this.#position(offset))
  }

  #position(offset: number): Position {
    return { line: this.#line, column: offset - this.#lineStart + 1 }
  }
}
