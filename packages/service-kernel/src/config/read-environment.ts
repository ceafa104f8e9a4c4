import type { Input, Parts } from './input.ts'
import type { Problem } from './problems.ts'
import type { Source } from './source.ts'
import { VARIABLE_PREFIX } from './variable-name.ts'

/** Variables as a program finds them in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

interface Branch {
  readonly name: string
  variable?: { readonly name: string; readonly text: string }
  readonly branches: Map<string, Branch>
}

/** The variables of the suite as a tree of the parts of their names, and those that contradict each other. */
export function readEnvironment(environment: Environment): { input: Parts; problems: Problem[] } {
  const root: Branch = { name: VARIABLE_PREFIX, branches: new Map() }
  const problems: Problem[] = []
  for (const [name, text] of Object.entries(environment).sort(byName)) {
    if (text === undefined || !name.toUpperCase().startsWith(VARIABLE_PREFIX)) continue
    plant(root, name, text, problems)
  }
  return { input: partsOf(root, VARIABLE_PREFIX, problems), problems }
}

// The order of an environment depends on the shell; problems are reported in the same order every time.
const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

function plant(root: Branch, name: string, text: string, problems: Problem[]): void {
  const leaf = name.slice(VARIABLE_PREFIX.length).split('__').reduce(branchOf, root)
  if (leaf.variable) problems.push(conflict(name, `says the same as ${leaf.variable.name} in other letters`))
  else leaf.variable = { name, text }
}

function branchOf(parent: Branch, name: string): Branch {
  const known = parent.branches.get(name.toLowerCase())
  if (known) return known
  const branch: Branch = { name, branches: new Map() }
  parent.branches.set(name.toLowerCase(), branch)
  return branch
}

function inputOf(branch: Branch, prefix: string, problems: Problem[]): Input {
  const { variable } = branch
  if (!variable) return partsOf(branch, `${prefix}${branch.name}__`, problems)
  if (branch.branches.size > 0)
    problems.push(conflict(variable.name, `is set, and so are variables that begin with ${variable.name}__`))
  return { kind: 'text', text: variable.text, source: { kind: 'environment', variable: variable.name } }
}

function partsOf(branch: Branch, prefix: string, problems: Problem[]): Parts {
  const source: Source = { kind: 'environment', variable: `${prefix}…` }
  const parts = [...branch.branches.values()].map((child) => [child.name, inputOf(child, prefix, problems)] as const)
  return { kind: 'parts', parts: new Map(parts), source }
}

const conflict = (variable: string, sentence: string): Problem => ({
  kind: 'conflict',
  key: 'environment',
  source: variable,
  sentence,
})
