import type { ESTree } from 'rolldown/utils'

/** One small wrong change: the piece of the source from `start` to `end` reads `text` instead. */
export interface Change {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly text: string
}

type Kind = ESTree.Node['type']
type NodeOf<K extends Kind> = Extract<ESTree.Node, { type: K }>
type Piece = Omit<Change, 'operator'>

interface Operator {
  readonly name: string
  readonly on: Kind
  changes(node: ESTree.Node, source: string): readonly Piece[]
}

function operator<K extends Kind>(
  name: string,
  on: K,
  changes: (node: NodeOf<K>, source: string) => readonly Piece[],
): Operator {
  return { name, on, changes: (node, source) => changes(node as NodeOf<K>, source) }
}

type Swaps = Readonly<Record<string, readonly string[]>>

const comparisons: Swaps = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
}

const arithmetic: Swaps = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
}

const logic: Swaps = { '&&': ['||'], '||': ['&&'], '??': ['&&'] }

const assignments: Swaps = {
  '+=': ['-=', '='],
  '-=': ['+='],
  '*=': ['/='],
  '|=': ['&='],
  '&=': ['|='],
  '^=': ['&='],
  '<<=': ['>>='],
  '>>=': ['<<='],
  '??=': ['='],
  '||=': ['&&='],
}

/** Methods that are easily confused. */
const methods: Swaps = {
  some: ['every'],
  every: ['some'],
  startsWith: ['endsWith'],
  endsWith: ['startsWith'],
  min: ['max'],
  max: ['min'],
  floor: ['ceil'],
  ceil: ['floor'],
  find: ['findLast'],
  findLast: ['find'],
  indexOf: ['lastIndexOf'],
  lastIndexOf: ['indexOf'],
  padStart: ['padEnd'],
}

/** Calls that return a changed form of their receiver: without the call the receiver is returned unchanged. */
const steps = new Set([
  'filter',
  'map',
  'slice',
  'subarray',
  'reverse',
  'toReversed',
  'sort',
  'toSorted',
  'trim',
  'toLowerCase',
  'toUpperCase',
  'normalize',
  'concat',
  'replace',
  'replaceAll',
])

/** The possible mutations. Each line is a mistake that a tired person makes. */
const table: readonly Operator[] = [
  operator('comparison', 'BinaryExpression', (node, source) => swapped(node, source, comparisons)),
  operator('arithmetic', 'BinaryExpression', (node, source) => swapped(node, source, arithmetic)),
  operator('logic', 'LogicalExpression', (node, source) => swapped(node, source, logic)),
  operator('assignment', 'AssignmentExpression', (node, source) => swapped(node, source, assignments)),
  operator('condition', 'IfStatement', ({ test }) => [inPlaceOf(test, 'true'), inPlaceOf(test, 'false')]),
  operator('condition', 'ConditionalExpression', ({ test }) => [inPlaceOf(test, 'true'), inPlaceOf(test, 'false')]),
  operator('condition', 'WhileStatement', ({ test }) => [inPlaceOf(test, 'false')]),
  operator('count', 'UpdateExpression', (node, source) => [
    inPlaceOf(node, pieceOf(source, node).replace(node.operator, node.operator === '++' ? '--' : '++')),
  ]),
  operator('negation', 'UnaryExpression', (node, source) =>
    ['!', '-', '~'].includes(node.operator) ? [inPlaceOf(node, pieceOf(source, node.argument))] : [],
  ),
  operator('literal', 'Literal', otherLiterals),
  operator('anchor', 'Literal', looserPatterns),
  operator('list', 'ArrayExpression', (node) => (node.elements.length > 0 ? [inPlaceOf(node, '[]')] : [])),
  operator('result', 'ReturnStatement', ({ argument }) => (argument ? [inPlaceOf(argument, 'undefined')] : [])),
  operator('result', 'ArrowFunctionExpression', ({ body }) =>
    body.type === 'BlockStatement' ? [] : [inPlaceOf(body, 'undefined')],
  ),
  operator('method', 'CallExpression', otherMethods),
  operator('step', 'CallExpression', leftOutSteps),
  operator('statement', 'ExpressionStatement', (node) => (isCall(node.expression) ? [inPlaceOf(node, ';')] : [])),
  operator('statement', 'ThrowStatement', (node) => [inPlaceOf(node, ';')]),
]

/** Every wrong change that can be made at a node. */
export const changesAt = (node: ESTree.Node, source: string): readonly Change[] =>
  table
    .filter(({ on }) => on === node.type)
    .flatMap(({ name, changes }) => changes(node, source).map((piece) => ({ operator: name, ...piece })))
    .filter((change) => change.text !== pieceOf(source, change))

interface Place {
  readonly start: number
  readonly end: number
}

const inPlaceOf = ({ start, end }: Place, text: string): Piece => ({ start, end, text })

const pieceOf = (source: string, { start, end }: Place) => source.slice(start, end)

/** The operator between two operands, as every table of swaps has it. */
function swapped(
  { operator, left, right }: { operator: string; left: Place; right: Place },
  source: string,
  swaps: Swaps,
): readonly Piece[] {
  const start = source.indexOf(operator, left.end)
  if (start === -1 || start + operator.length > right.start) return []
  return (swaps[operator] ?? []).map((text) => ({ start, end: start + operator.length, text }))
}

/** Sentences are left alone: by the project's rules no test asserts on a message. */
const isSentence = (text: string) => /\s/.test(text)

function otherLiterals(node: NodeOf<'Literal'>, source: string): readonly Piece[] {
  const { value } = node
  if (typeof value === 'boolean') return [inPlaceOf(node, String(!value))]
  if (typeof value === 'number') return neighbours(value).map((text) => inPlaceOf(node, text))
  if (typeof value === 'bigint') return [inPlaceOf(node, `(${pieceOf(source, node)} + 1n)`)]
  if (typeof value === 'string' && !isSentence(value)) return [inPlaceOf(node, value === '' ? "'mutant'" : "''")]
  return []
}

const neighbours = (value: number) => (value === 0 ? ['1'] : [String(value + 1), String(value - 1)])

/** A pattern without its anchor at the beginning or the end accepts more. */
function looserPatterns(node: NodeOf<'Literal'>): readonly Piece[] {
  if (!('regex' in node)) return []
  const { pattern, flags } = node.regex
  const looser = [pattern.replace(/^\^/, ''), pattern.replace(/(?<!\\)\$$/, '')]
  return looser.filter((text) => text !== pattern && text !== '').map((text) => inPlaceOf(node, `/${text}/${flags}`))
}

function otherMethods({ callee }: NodeOf<'CallExpression'>): readonly Piece[] {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return []
  const { property } = callee
  return (Object.hasOwn(methods, property.name) ? methods[property.name]! : []).map((name) => inPlaceOf(property, name))
}

function leftOutSteps(node: NodeOf<'CallExpression'>, source: string): readonly Piece[] {
  const { callee } = node
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return []
  return steps.has(callee.property.name) ? [inPlaceOf(node, pieceOf(source, callee.object))] : []
}

const isCall = (node: ESTree.Node): boolean =>
  node.type === 'CallExpression' || (node.type === 'AwaitExpression' && isCall(node.argument))
