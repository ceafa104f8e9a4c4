import { engineErrorCodes } from '@chancela/signature-engine'
import { certificateReasons } from '@chancela/signature-engine/judgement'
import { findingSeverities, reportTexts } from '@chancela/signature-engine/report'

/** Every code the engine throws or reports, with its sentence. */
export const signatureEngineCodes = (): string => `# Codes of the signature engine

A program branches on codes, never on sentences. \`EngineError.code\` is what could not be done; a finding or a reason is part of a verdict. In a sentence, \`{name}\` is a detail that comes with the code; a part in brackets is left out where the detail is missing.

## Errors
${Object.entries(engineErrorCodes)
  .map(([area, codes]) => `\n### ${area}\n\n${table(['Code', 'Sentence'], Object.entries(codes))}`)
  .join('')}
## Findings of a validation

${table(['Code', 'Severity', 'en-US', 'pt-BR'], findings())}
## Reasons of a certificate verdict

${table(['Code', 'Makes it', 'en-US', 'pt-BR'], reasons())}`

const english = reportTexts['en-US']
const portuguese = reportTexts['pt-BR']

const findings = (): string[][] =>
  entriesOf(findingSeverities).map(([code, severity]) => [
    code,
    severity,
    english.findings[code],
    portuguese.findings[code],
  ])

const reasons = (): string[][] =>
  entriesOf(certificateReasons).map(([code, { indication }]) => [
    code,
    indication,
    english.reasons[code],
    portuguese.reasons[code],
  ])

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  const coded = rows.map(([code, ...rest]) => [`\`${code}\``, ...rest])
  return [head, head.map(() => '---'), ...coded].map(line).join('')
}

const entriesOf = <Key extends string, Value>(record: Readonly<Record<Key, Value>>) =>
  Object.entries(record) as [Key, Value][]
