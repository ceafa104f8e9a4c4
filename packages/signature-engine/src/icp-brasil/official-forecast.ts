import { cmsBytes } from '../cades/cades-file.ts'
import { readSignedData } from '../cms/signed-data.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { SignatureReport, ValidationReport } from '../report/report.ts'
import type { Certificate } from '../x509/certificate.ts'
import { type BrokenRule, broken } from './broken-rule.ts'
import { cmsRules } from './cms-rules.ts'
import { forecastRules, type Outcome, type Rule, type RuleName } from './forecast-rules.ts'
import { pdfRules } from './pdf-rules.ts'
import { reportRules, type StandIns } from './report-rules.ts'
import { ruleOfFinding } from './rules-of-findings.ts'
import { xmlRules } from './xml-rules.ts'

/** Why the official validator will answer as it will: one rule, once per signature. */
export interface ForecastReason extends Rule {
  readonly rule: RuleName
  /** The signature as the report names it; null for the document as a whole. */
  readonly signature: string | null
  readonly details?: BrokenRule['details']
}

export interface Forecast {
  /** The worst of its reasons; without any, `aprovada`. */
  readonly outcome: Outcome
  /** The worst first. */
  readonly reasons: readonly ForecastReason[]
}

export interface ForecastOptions {
  /** Roots that stand for those of ICP-Brasil: of a test PKI, whose signatures would else all be indeterminate. */
  readonly standIns?: readonly Certificate[]
  /** Of an encrypted PDF that cannot be read without one. */
  readonly password?: string
}

const badness: Readonly<Record<Outcome, number>> = { aprovada: 0, indeterminada: 1, reprovada: 2 }

/**
 * What the official validator (VALIDAR) will say of a document, as far as its rules are known from outside, from the
 * document and our report on it (without the document, from the report alone). No promise: only ITI's answer counts.
 */
export function officialForecast(
  document: Uint8Array | null,
  report: ValidationReport,
  options: ForecastOptions = {},
): Forecast {
  requireArguments('officialForecast', { report: [report, 'report'] }, options)
  if (document !== null) requireArguments('officialForecast', { document: [document, 'bytes'] })
  const standIns: StandIns = new Set((options.standIns ?? []).map(({ fingerprint }) => fingerprint))
  const ofDocument = documentRules(report).map((one) => reasonOf(null, one))
  const ofSignatures = report.signatures.flatMap((signature, at) =>
    reasonsOf(document, signature, at, { ...options, standIns }),
  )
  const reasons = [...ofDocument, ...ofSignatures].sort((a, b) => badness[b.outcome] - badness[a.outcome])
  return { outcome: reasons[0]?.outcome ?? 'aprovada', reasons }
}

function documentRules({ findings, signatures }: ValidationReport): BrokenRule[] {
  const found = findings.flatMap(({ code, details }) => {
    const rule = ruleOfFinding[code]
    return rule ? [broken(rule, details)] : []
  })
  if (signatures.length === 0) found.push(broken('no-signature'))
  return onceEach(found)
}

/** Each rule once, as it was broken first. */
function onceEach(found: readonly BrokenRule[]): BrokenRule[] {
  const once = new Map<RuleName, BrokenRule>()
  for (const one of found) if (!once.has(one.rule)) once.set(one.rule, one)
  return [...once.values()]
}

const reasonOf = (signature: string | null, { rule, details }: BrokenRule): ForecastReason => ({
  ...forecastRules[rule],
  rule,
  signature,
  ...(details && { details }),
})

function reasonsOf(
  document: Uint8Array | null,
  signature: SignatureReport,
  at: number,
  { standIns, password }: Pick<ForecastOptions, 'password'> & { readonly standIns: StandIns },
): ForecastReason[] {
  const found = [...structureRules(document, signature, at, password), ...reportRules(signature, standIns)]
  const unexplained = signature.indication !== 'valid' && found.every(({ rule }) => isRemark(rule))
  if (unexplained) found.push(broken('not-valid-here'))
  return onceEach(found).map((one) => reasonOf(signature.name, one))
}

const isRemark = (rule: RuleName): boolean => forecastRules[rule].outcome === 'aprovada'

/** Rules that look at the signature itself. What cannot be read is told by the report. */
function structureRules(
  document: Uint8Array | null,
  signature: SignatureReport,
  at: number,
  password: string | undefined,
): BrokenRule[] {
  if (document === null || signature.kind === 'document-timestamp') return []
  try {
    return [...(structures[signature.format]?.(document, signature, at, password) ?? [])]
  } catch (error) {
    if (error instanceof EngineError) return []
    throw error
  }
}

type Structure = (
  document: Uint8Array,
  signature: SignatureReport,
  at: number,
  password: string | undefined,
) => Iterable<BrokenRule>

const structures: Partial<Record<SignatureReport['format'], Structure>> = {
  PAdES: (document, signature, _, password) => pdfRules(document, signature, password),
  XAdES: xmlRules,
  CAdES: (document, _, at) => {
    const signedData = readSignedData(cmsBytes(document))
    const signer = signedData.signers[at]
    return signer ? cmsRules(signedData, signer) : []
  },
}
