// What the test of a computer found, step by step in the order a computer is set up.

/** How a test ended. */
export interface ComputerReport {
  readonly outcome: string
  readonly certificate: TestedCertificate | null
  readonly validationResults: JudgedResults | null
}

export interface TestedCertificate {
  readonly name: string
  readonly identifier: string | null
  readonly issuer: string
  readonly notBefore: string
  readonly notAfter: string
}

export interface JudgedResults {
  readonly isValid: boolean
  readonly errors: readonly JudgedItem[]
  readonly indeterminateItens: readonly JudgedItem[]
}

interface JudgedItem {
  readonly type: string
  readonly message: string
  readonly detail: string | null
}

const testSteps = ['agent', 'source', 'driver', 'token', 'certificate', 'signature', 'validity'] as const

export type TestStep = (typeof testSteps)[number]

/** The step at which each outcome stops a test; any other stops it at the signature. */
const stops: Readonly<Record<string, TestStep>> = {
  expired: 'agent',
  canceled: 'agent',
  unavailable: 'agent',
  'agent-gone': 'agent',
  'no-source': 'source',
  'no-driver': 'driver',
  'no-token': 'token',
  'token-gone': 'token',
  'no-certificate': 'certificate',
}

export type StepState = 'good' | 'bad' | 'open'

/** Where a test stopped; undefined when everything is there. */
export function stoppedAt({ outcome, validationResults }: ComputerReport): TestStep | undefined {
  if (outcome !== 'signed') return Object.hasOwn(stops, outcome) ? stops[outcome] : 'signature'
  return validationResults?.isValid === true ? undefined : 'validity'
}

/** Every step: good before the one that stopped the test, not reached behind it. */
export function stepStates(report: ComputerReport): readonly { readonly step: TestStep; readonly state: StepState }[] {
  const stop = stoppedAt(report)
  const at = stop === undefined ? testSteps.length : testSteps.indexOf(stop)
  return testSteps.map((step, index) => ({ step, state: index < at ? 'good' : index === at ? 'bad' : 'open' }))
}
