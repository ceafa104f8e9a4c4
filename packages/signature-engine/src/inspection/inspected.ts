import { requireArguments } from '../errors/arguments.ts'
import { withoutUnseen } from '../text/index.ts'

export type InspectedKind =
  | 'certificate'
  | 'certificates'
  | 'pkcs12'
  | 'signed-data'
  | 'signer'
  | 'timestamp'
  | 'enveloped-data'
  | 'recipient'
  | 'crl'
  | 'ocsp'
  | 'pdf'
  | 'pdf-revision'
  | 'pdf-signature'
  | 'jws'
  | 'jws-signature'
  | 'asic'
  | 'asic-file'
  | 'asic-manifest'
  | 'xml'
  | 'xml-signature'
  | 'policy-list'

/** One fact of what was found; absent ones are left out. */
export type Fact = string | number | boolean | readonly string[]

/** What was found in a file: facts, and nested contents. Nothing of it is validated. */
export interface Inspected {
  readonly kind: InspectedKind
  readonly title: string
  readonly facts: Readonly<Record<string, Fact>>
  readonly contents: readonly Inspected[]
}

type MaybeFacts = Readonly<Record<string, Fact | Date | null | undefined>>

/** Builds a finding: absent or empty facts are left out, times become ISO 8601. */
export function inspected(
  kind: InspectedKind,
  title: string,
  facts: MaybeFacts,
  contents: readonly Inspected[] = [],
): Inspected {
  const present = Object.entries(facts).flatMap(([name, value]) => {
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return []
    return [[name, value instanceof Date ? value.toISOString() : value] as const]
  })
  return { kind, title, facts: Object.fromEntries(present), contents }
}

/** The findings as an indented tree, for people. */
export function inspectionText(found: Inspected, indent = ''): string {
  requireArguments('inspectionText', { facts: [found?.facts, 'object'], contents: [found?.contents, 'list'] })
  const { title, facts, contents } = found
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    shown(value).map((one) => `${indent}  ${name}: ${oneLine(one)}`),
  )
  const inner = contents.map((one) => inspectionText(one, `${indent}  `))
  return [`${indent}${oneLine(title)}`, ...lines, ...inner].join('\n')
}

/** Short names on one line, anything longer line by line. */
function shown(value: Fact): string[] {
  if (typeof value !== 'object') return [String(value)]
  return value.every((one) => /^[\w.-]{1,40}$/.test(one)) ? [value.join(', ')] : [...value]
}

// Text from an untrusted file must not move the cursor or break lines.
const oneLine = (text: string): string => withoutUnseen(text, '\ufffd')
