import { firstCms } from '../cades/cades-file.ts'
import { readSignedData, type SignedData } from '../cms/signed-data.ts'
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
 * document and our report on it. From the report alone the answer is *indeterminada* at best, because what the rules
 * say of the signatures themselves was not looked at. No promise: only ITI's answer counts.
 */
export function officialForecast(
  document: Uint8Array | null,
  report: ValidationReport,
  options: ForecastOptions = {},
): Forecast {
  requireArguments('officialForecast', { report: [report, 'report'] }, options)
  if (document === null) return forecastBy(undefined, report, options)
  requireArguments('officialForecast', { document: [document, 'bytes'] })
  return forecastBy(structureIn(document, options), report, options)
}

/** Rules that look at one signature itself. */
export type Structure = (signature: SignatureReport, at: number) => Iterable<BrokenRule>

/** The forecast by these rules, and by those about the report. */
export function forecastBy(
  structure: Structure | undefined,
  report: ValidationReport,
  options: ForecastOptions,
): Forecast {
  const standIns: StandIns = new Set((options.standIns ?? []).map(({ fingerprint }) => fingerprint))
  // What a container has inside is looked at by its report alone.
  const looked = report.format.startsWith('ASiC') ? undefined : structure
  const ofDocument = documentRules(report).map((one) => reasonOf(null, one))
  const ofSignatures = report.signatures.flatMap((signature, at) => reasonsOf(looked, signature, at, standIns))
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
  structure: Structure | undefined,
  signature: SignatureReport,
  at: number,
  standIns: StandIns,
): ForecastReason[] {
  const found = [...structureRules(structure, signature, at), ...reportRules(signature, standIns)]
  const unexplained = signature.indication !== 'valid' && found.every(({ rule }) => isRemark(rule))
  if (unexplained) found.push(broken('not-valid-here'))
  return onceEach(found).map((one) => reasonOf(signature.name, one))
}

const isRemark = (rule: RuleName): boolean => forecastRules[rule].outcome === 'aprovada'

/** What the rules say of the signature itself; where they could not look at it, that is a reason, too. */
function structureRules(structure: Structure | undefined, signature: SignatureReport, at: number): BrokenRule[] {
  if (signature.kind === 'document-timestamp') return []
  if (!structure) return [broken('structure-not-checked')]
  try {
    return [...structure(signature, at)]
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    // What cannot be read is told by the report, unless it could.
    return signature.indication === 'valid' ? [broken('structure-not-checked')] : []
  }
}

function structureIn(document: Uint8Array, { password }: ForecastOptions): Structure {
  const structures: Partial<Record<SignatureReport['format'], Structure>> = {
    PAdES: (signature) => pdfRules(document, signature, password),
    XAdES: (signature) => xmlRules(document, signature),
    CAdES: (_, at) => rulesOfSigner(readSignedData(firstCms(document).cms), at),
  }
  return (signature, at) => structures[signature.format]?.(signature, at) ?? [broken('structure-not-checked')]
}

/** The rules about one signer of a CMS. */
export function rulesOfSigner(signedData: SignedData, at: number): Iterable<BrokenRule> {
  const signer = signedData.signers[at]
  return signer ? cmsRules(signedData, signer) : []
}
