import type { DocumentFormat } from '@chancela/signature-engine/report'
import { UsageProblem } from './exit-codes.ts'
import type { SignCommandOptions } from './sign-command.ts'

const PDF: readonly DocumentFormat[] = ['PAdES']
const DESCRIBED: readonly DocumentFormat[] = ['CAdES', 'XAdES']
const CONTAINERS: readonly DocumentFormat[] = ['ASiC-S', 'ASiC-E']

/** Options that only some formats have. */
const formatsOf: Readonly<Partial<Record<keyof SignCommandOptions, readonly DocumentFormat[]>>> = {
  detached: ['CAdES', 'XAdES', 'JAdES'],
  pem: ['CAdES'],
  coSign: ['CAdES', 'JAdES', ...CONTAINERS],
  counterSign: DESCRIBED,
  contentTimestamp: [...DESCRIBED, 'PAdES', 'JAdES'],
  mimeType: [...DESCRIBED, 'JAdES'],
  description: DESCRIBED,
  xadesInside: CONTAINERS,
  pdfPassword: PDF,
  pdfPasswordFile: PDF,
  reason: PDF,
  location: PDF,
  field: PDF,
  permits: PDF,
  certify: PDF,
  pbad: PDF,
  visible: PDF,
  mark: PDF,
  text: PDF,
  image: PDF,
  qr: PDF,
  place: PDF,
  page: PDF,
}

/** Options about the content, which a counter-signature has not: it confirms a signature. */
const OF_CONTENT = ['detached', 'contentTimestamp', 'mimeType', 'description'] as const

/** Refuses an option by name where it would change nothing: no file is signed in a format that has it. */
export function requireHonoured(options: SignCommandOptions, formats: readonly DocumentFormat[]): void {
  for (const [option, having] of Object.entries(formatsOf))
    if (isGiven(options, option) && !formats.some((format) => having.includes(format)))
      throw new UsageProblem(`${flagOf(option)} is for ${having.join(', ')}; nothing is signed in such a format here.`)
  const idle = options.counterSign ? OF_CONTENT.find((option) => isGiven(options, option)) : undefined
  if (idle) throw new UsageProblem(`${flagOf(idle)} is about content, of which a counter-signature has none.`)
  if (options.signature !== undefined && !options.counterSign)
    throw new UsageProblem('--signature names what --counter-sign confirms, which is not given.')
}

const isGiven = (options: SignCommandOptions, option: string): boolean => {
  const value = options[option as keyof SignCommandOptions]
  return value !== undefined && value !== false
}

const flagOf = (option: string): string => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
