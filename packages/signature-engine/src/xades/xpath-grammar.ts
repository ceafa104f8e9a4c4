// The small part of XPath that filters of signatures are written in, parsed into data: absolute paths of elements,
// the signature around the expression, an element by its Id, and conditions on names and attributes. Whatever else XPath
// has (positions, arithmetic, other axes, functions) is not parsed, so that nothing is executed that has no meaning here.

/** Prefix → namespace name, as in scope at the expression. */
export type XPathScope = ReadonlyMap<string, string>

/** An expanded name; undefined is `*`. */
export type NameTest = { readonly uri: string; readonly local: string } | undefined

/** What a predicate asks of an element. */
export type Condition =
  | { readonly of: 'name' | 'local-name' | 'namespace-uri'; readonly value: string }
  | { readonly of: 'self'; readonly test: NameTest }
  | { readonly of: 'attribute'; readonly uri: string; readonly local: string; readonly value: string }

export interface Step {
  readonly axis: 'child' | 'descendant'
  readonly test: NameTest
  readonly conditions: readonly Condition[]
}

/** A set of elements: by a path from the document, around the expression, or by Id. */
export type Location =
  | { readonly from: 'document'; readonly steps: readonly Step[] }
  | { readonly from: 'here'; readonly test: NameTest; readonly conditions: readonly Condition[] }
  | { readonly from: 'id'; readonly id: string }

/** One change of what is covered: these subtrees are left out, or nothing but them is left. */
export interface Filter {
  readonly does: 'subtract' | 'intersect'
  readonly locations: readonly Location[]
}

const MAX_LENGTH = 1_000
const NAME = '[\\p{L}_][\\p{L}\\p{N}_.\\-]*'
const TOKEN = new RegExp(`\\s*(//|::|[/()[\\]|=@*]|"[^"]*"|'[^']*'|1(?![\\w.])|${NAME}(?::(?!:)${NAME})?)`, 'uy')

/** A union of locations, as XPath Filter 2 has them; undefined when it is anything else. */
export const parseLocations = (expression: string, scope: XPathScope): readonly Location[] | undefined =>
  parsed(expression, scope, (parser) => parser.union())

/** The condition of an XPath 1.0 filter, which every node must meet, as filters of subtrees. */
export function parseCondition(expression: string, scope: XPathScope): readonly Filter[] | undefined {
  const enveloped = ENVELOPED.exec(expression.replace(/\s+/g, ''))
  if (enveloped === null) return parsed(expression, scope, (parser) => parser.conjunction())
  const test = nameTest(enveloped[1]!, scope)
  return test && [{ does: 'subtract', locations: [{ from: 'here', test, conditions: [] }] }]
}

/** XMLDSig §6.6.4: what the enveloped-signature transform is defined by. */
const ENVELOPED =
  /^count\(ancestor-or-self::([\w.-]+:[\w.-]+)\|here\(\)\/ancestor::\1\[1\]\)>count\(ancestor-or-self::\1\)$/

function parsed<T>(expression: string, scope: XPathScope, read: (parser: Parser) => T): T | undefined {
  const tokens = expression.length > MAX_LENGTH ? undefined : tokensOf(expression.trim())
  if (tokens === undefined) return undefined
  try {
    const parser = new Parser(tokens, scope)
    const result = read(parser)
    parser.end()
    return result
  } catch (error) {
    if (error instanceof Unparsed) return undefined
    throw error
  }
}

function tokensOf(expression: string): string[] | undefined {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < expression.length) {
    const found = TOKEN.exec(expression)
    if (found === null) return undefined
    tokens.push(found[1]!)
  }
  return tokens
}

/** Thrown inside this file only: the expression is none of those that are parsed. */
class Unparsed extends Error {}

/** The name a token stands for; a prefix that nothing declares has no meaning. XPath gives bare names no namespace. */
function nameTest(token: string, scope: XPathScope): { uri: string; local: string } | undefined {
  const [prefix, local] = token.includes(':') ? token.split(':') : ['', token]
  const uri = prefix === '' ? '' : scope.get(prefix!)
  return uri === undefined ? undefined : { uri, local: local! }
}

const IS_NAME = new RegExp(`^${NAME}(?::${NAME})?$`, 'u')

class Parser {
  readonly #tokens: readonly string[]
  readonly #scope: XPathScope
  #at = 0

  constructor(tokens: readonly string[], scope: XPathScope) {
    this.#tokens = tokens
    this.#scope = scope
  }

  union(): Location[] {
    const locations = [this.#location()]
    while (this.#takes('|')) locations.push(this.#location())
    return locations
  }

  /** `not(A or B) and C`: conditions on the ancestors of every node. */
  conjunction(): Filter[] {
    const filters = [this.#factor()]
    while (this.#takes('and')) filters.push(this.#factor())
    return filters
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new Unparsed()
  }

  #factor(): Filter {
    if (!this.#takes('not')) return { does: 'intersect', locations: [this.#within()] }
    this.#expect('(')
    const locations = [this.#within()]
    while (this.#takes('or')) locations.push(this.#within())
    this.#expect(')')
    return { does: 'subtract', locations }
  }

  /** `ancestor-or-self::X` holds for the nodes of every subtree of an X. */
  #within(): Location {
    this.#expect('ancestor-or-self', '::')
    return { from: 'document', steps: [{ axis: 'descendant', ...this.#tested() }] }
  }

  #location(): Location {
    if (this.#takes('here')) return this.#around()
    if (this.#takes('id')) return { from: 'id', id: this.#parenthesised(() => this.#literal()) }
    return { from: 'document', steps: this.#steps() }
  }

  /** `here()/ancestor::X[1]`: the nearest one around the expression. */
  #around(): Location {
    this.#expect('(', ')', '/', 'ancestor', '::')
    const tested = this.#tested()
    this.#expect('[', '1', ']')
    return { from: 'here', ...tested }
  }

  #steps(): Step[] {
    const steps: Step[] = []
    do {
      if (this.#takes('//')) steps.push({ axis: 'descendant', ...this.#tested() })
      else {
        this.#expect('/')
        steps.push({ axis: this.#axis(), ...this.#tested() })
      }
    } while (this.#peek() === '/' || this.#peek() === '//')
    return steps
  }

  #axis(): Step['axis'] {
    const axis = this.#tokens[this.#at + 1] === '::' ? AXES[this.#peek() ?? ''] : 'child'
    if (axis === undefined) throw new Unparsed()
    if (this.#tokens[this.#at + 1] === '::') this.#at += 2
    return axis
  }

  #tested(): { test: NameTest; conditions: Condition[] } {
    const test = this.#test()
    const conditions: Condition[] = []
    while (this.#peek() === '[' && this.#tokens[this.#at + 1] !== '1') conditions.push(...this.#predicate())
    return { test, conditions }
  }

  #test(): NameTest {
    return this.#takes('*') ? undefined : this.#name()
  }

  #name(): { uri: string; local: string } {
    const token = this.#next()
    // A name before a parenthesis or an axis is no name of an element: `node()`, `self::…`.
    const isName = IS_NAME.test(token) && this.#peek() !== '(' && this.#peek() !== '::'
    const test = isName ? nameTest(token, this.#scope) : undefined
    if (test === undefined) throw new Unparsed()
    return test
  }

  #predicate(): Condition[] {
    this.#expect('[')
    const conditions = [this.#condition()]
    while (this.#takes('and')) conditions.push(this.#condition())
    this.#expect(']')
    return conditions
  }

  #condition(): Condition {
    if (this.#takes('@')) {
      const attribute = this.#name()
      this.#expect('=')
      return { of: 'attribute', ...attribute, value: this.#literal() }
    }
    const subject = this.#next()
    if (subject === 'self') {
      this.#expect('::')
      return { of: 'self', test: this.#test() }
    }
    if (!isNameFunction(subject)) throw new Unparsed()
    this.#expect('(', ')', '=')
    return { of: subject, value: this.#literal() }
  }

  #parenthesised<T>(read: () => T): T {
    this.#expect('(')
    const inner = read()
    this.#expect(')')
    return inner
  }

  #literal(): string {
    const token = this.#next()
    if (!/^["']/.test(token)) throw new Unparsed()
    return token.slice(1, -1)
  }

  #next(): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new Unparsed()
    return token
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at]
  }

  #takes(token: string): boolean {
    const isNext = this.#peek() === token
    if (isNext) this.#at++
    return isNext
  }

  #expect(...tokens: readonly string[]): void {
    for (const token of tokens) if (!this.#takes(token)) throw new Unparsed()
  }
}

// From the document, the step `descendant-or-self` finds the same elements as `descendant`; further in it does not.
const AXES: Readonly<Record<string, Step['axis']>> = { child: 'child', descendant: 'descendant' }

const isNameFunction = (token: string): token is 'name' | 'local-name' | 'namespace-uri' =>
  token === 'name' || token === 'local-name' || token === 'namespace-uri'
