import { StartupProblem } from '../errors/index.ts'

/** What is wrong with a setting. */
export type ProblemKind =
  /** No setting, section or service has this name. */
  | 'unknown'
  /** Wrong type, out of range, or refused by a rule of the service. */
  | 'invalid'
  | 'missing'
  /** The same setting is given twice by one source. */
  | 'conflict'
  /** A file (of settings, or of a secret) that cannot be read. */
  | 'unreadable'
  /** The settings file is not JSON. */
  | 'syntax'

/** One wrong setting, described so that the operator can fix it without reading code. Never has a secret's value. */
export interface Problem {
  readonly kind: ProblemKind
  /** `batch-signer Http:Port`; `common Http:Port` when given for all services. */
  readonly key: string
  /** File with line and column, or name of the variable. */
  readonly source: string
  readonly sentence: string
}

/** Every wrong setting at once; thrown before anything starts. */
export class ConfigurationProblems extends StartupProblem {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problemsText(problems), problems[0] ? { setting: problems[0].key } : {})
    this.problems = problems
  }
}

/** One line per problem: key, what is wrong, where it was written. */
export function problemsText(problems: readonly Problem[]): string {
  const count = problems.length === 1 ? 'One setting is wrong' : `${problems.length} settings are wrong`
  const lines = problems.map(({ key, sentence, source }) => `  ${key}: ${sentence} (${source})`)
  return [`${count}; nothing was started.`, ...lines].join('\n')
}
