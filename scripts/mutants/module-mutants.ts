import { type ESTree, parseSync } from 'rolldown/utils'
import { type Change, changesAt } from './operators.ts'

/**
 * A piece of code that runs as a whole or not at all: a statement, the body of an arrow function, a branch of a
 * conditional. `bare` is a statement where a block could stand, as in `if (a) return b`.
 */
export interface Stretch {
  readonly kind: 'statement' | 'bare' | 'expression'
  readonly start: number
  readonly end: number
  /** Runs when the module is loaded, and never again. */
  readonly atLoad: boolean
}

/** A change and the innermost stretch of code that contains it. */
export interface PlacedChange extends Change {
  readonly stretch: Stretch
}

/** Every small wrong change that can be made to a module, in the order of its source. */
export function changesOf(path: string, source: string): readonly PlacedChange[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]!.message}`)
  return changesBelow(program, source, { kind: 'statement', start: 0, end: source.length, atLoad: true })
}

export const withChange = (source: string, { start, end, text }: Change): string =>
  source.slice(0, start) + text + source.slice(end)

function changesBelow(node: ESTree.Node, source: string, stretch: Stretch): PlacedChange[] {
  const parts = partsThatRun(node).map(({ key, part }) => {
    const kind = kindOfStretch(node, key, part)
    const atLoad = stretch.atLoad && !runsLater.has(node.type)
    return { part, stretch: kind ? { kind, start: part.start, end: part.end, atLoad } : { ...stretch, atLoad } }
  })
  // A change of a whole part, such as the result of an arrow function, runs when that part does.
  const partAt = ({ start, end }: Change) => parts.find(({ part }) => part.start === start && part.end === end)
  return [
    ...changesAt(node, source).map((change) => ({ ...change, stretch: partAt(change)?.stretch ?? stretch })),
    ...parts.flatMap((one) => changesBelow(one.part, source, one.stretch)),
  ]
}

interface Part {
  readonly key: string
  readonly part: ESTree.Node
}

/** Types are gone when a module runs, and names (of a property, of a module) are no values. */
const partsThatRun = (node: ESTree.Node): Part[] =>
  Object.entries(node)
    .filter(([key]) => !(isName(node, key) || key === 'parent'))
    .flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((part: unknown) => ({ key, part })))
    .filter((one): one is Part => isNode(one.part) && !(one.part.type.startsWith('TS') && !wrappers.has(one.part.type)))

/** Expressions that TypeScript wraps; the type itself is left out by its own name. */
const wrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

const declarationsOfOthers = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression'])

const isName = (node: ESTree.Node, key: string): boolean =>
  declarationsOfOthers.has(node.type) ||
  (key === 'key' && 'computed' in node && !node.computed) ||
  (key === 'source' && node.type === 'ExportNamedDeclaration')

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && typeof value.type === 'string'

/** Where a stretch begins: the parts of a node that may or may not run when the node does. */
const stretches: Readonly<Record<string, Readonly<Record<string, Stretch['kind']>>>> = {
  Program: { body: 'statement' },
  BlockStatement: { body: 'statement' },
  StaticBlock: { body: 'statement' },
  SwitchCase: { consequent: 'statement' },
  IfStatement: { consequent: 'bare', alternate: 'bare' },
  ForStatement: { body: 'bare' },
  ForOfStatement: { body: 'bare' },
  ForInStatement: { body: 'bare' },
  WhileStatement: { body: 'bare' },
  ArrowFunctionExpression: { body: 'expression' },
  ConditionalExpression: { consequent: 'expression', alternate: 'expression' },
  LogicalExpression: { right: 'expression' },
}

/** Their content runs when it is called. */
const runsLater = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'PropertyDefinition',
])

/** A block is no stretch itself: its statements are. */
const kindOfStretch = (node: ESTree.Node, key: string, part: ESTree.Node): Stretch['kind'] | undefined =>
  part.type === 'BlockStatement' ? undefined : stretches[node.type]?.[key]
