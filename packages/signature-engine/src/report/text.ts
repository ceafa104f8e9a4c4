import { requireArguments } from '../errors/arguments.ts'
import type { CertificateReason, CertificateVerdict, Indication, RevocationStatus } from '../judgement/verdict.ts'
import { type CommitmentType, commitmentTypes } from '../signing/signer-claims.ts'
import { withoutUnseen } from '../text/index.ts'
import type { Certificate } from '../x509/certificate.ts'
import { formattedCnpj } from '../x509/cnpj.ts'
import { formattedCpf } from '../x509/cpf.ts'
import { holderOf } from '../x509/holder.ts'
import type { UncheckedReason } from './check.ts'
import { placeLine } from './claims.ts'
import type {
  CoverageReport,
  Finding,
  LaterChange,
  ReferenceReport,
  SignatureReport,
  SignerReport,
  TimestampReport,
  ValidationReport,
} from './report.ts'
import { filled, type ReportTexts } from './report-texts.ts'
import { textsEnUs } from './texts-en-us.ts'
import { textsPtBr } from './texts-pt-br.ts'

export const reportTexts = { 'pt-BR': textsPtBr, 'en-US': textsEnUs } as const satisfies Record<string, ReportTexts>

export type Language = keyof typeof reportTexts

export interface ReportTextOptions {
  /** IANA name of the zone times are shown in. Default `America/Sao_Paulo`. */
  readonly timeZone?: string
}

const MARKS: Readonly<Record<Indication, string>> = { valid: '✔', invalid: '✘', indeterminate: '?' }

/** The report for a reader: the verdict first, then who, when, and whether and why (not) to trust it. */
export function reportText(report: ValidationReport, language: Language, options: ReportTextOptions = {}): string {
  requireArguments('reportText', { report: [report, 'report'], language: [language, 'text'] }, options)
  const { timeZone = 'America/Sao_Paulo' } = options
  return new ReportWriter(reportTexts[language], language, timeZone).document(report)
}

/** One signature of a report in the words of `reportText`, label by label, for callers with their own layout. */
export function signatureRows(
  signature: SignatureReport,
  language: Language,
  options: ReportTextOptions = {},
): { label: string; lines: string[] }[] {
  requireArguments('signatureRows', { signature: [signature, 'signature'], language: [language, 'text'] }, options)
  const { timeZone = 'America/Sao_Paulo' } = options
  const rows = new ReportWriter(reportTexts[language], language, timeZone).rows(signature)
  return rows.map(([label, ...lines]) => ({ label, lines: lines.map(oneLine) }))
}

/** A finding in words; details without a place in the text follow in brackets, in English. */
export function findingText(finding: Finding, language: Language): string {
  requireArguments('findingText', { code: [finding?.code, 'text'], language: [language, 'text'] })
  const { code, details } = finding
  const text = reportTexts[language].findings[code]
  const unsaid = Object.entries(details ?? {}).filter(
    ([name]) => !text.includes(`{${name}}`) && !SAID_ELSEWHERE.has(name),
  )
  const remainder = unsaid.map(([name, value]) => (name === 'reason' ? value : `${name}: ${value}`)).join('; ')
  return filled(text, details) + (remainder && ` [${remainder}]`)
}

/** Details with rows of their own in a report: kind of timestamp, reasons of a certificate, name of the policy. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(['kind', 'reasons', 'policy', 'oid', 'status'])

type Row = readonly [label: string, ...lines: string[]]

/** Writes one report in one language; language and zone are the state that every sentence needs. */
class ReportWriter {
  readonly #texts: ReportTexts
  readonly #language: Language
  readonly #clock: Intl.DateTimeFormat

  constructor(texts: ReportTexts, language: Language, timeZone: string) {
    this.#texts = texts
    this.#language = language
    this.#clock = new Intl.DateTimeFormat(language, {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    })
  }

  document(report: ValidationReport): string {
    const { format, judgedAt, signatures, findings, validationPolicy } = report
    const summary = filled(this.#texts.labels.summary, { format, time: this.#time(judgedAt) })
    return [
      `${MARKS[report.indication]} ${this.#verdict(report)}`,
      summary,
      ...(validationPolicy ? [oneLine(filled(this.#texts.labels.byPolicy, { name: validationPolicy }))] : []),
      ...findings.map((finding) => oneLine(`- ${this.#finding(finding)}`)),
      ...signatures.map((signature, at) => `\n${this.#signature(signature, at + 1, signatures.length)}`),
    ].join('\n')
  }

  #verdict({ indication, signatures, findings }: ValidationReport): string {
    const { unreadable } = this.#texts
    if (findings.some(({ code }) => code === 'document-unreadable'))
      return signatures.length === 0 ? unreadable.none : unreadable.some
    if (signatures.length === 0) return this.#texts.unsigned
    return this.#texts.document[indication][signatures.length === 1 ? 'one' : 'many']
  }

  #signature(signature: SignatureReport, number: number, count: number): string {
    const { labels, kinds, verdicts } = this.#texts
    const { kind, format, name, indication } = signature
    const verdict = verdicts[indication]
    // In a CMS a signature is identified only by its number, in a container by the file it is in.
    const named = format === 'CAdES' && !name.startsWith('META-INF/') ? {} : { name }
    const heading = filled(labels.heading, { kind: kinds[kind], number, count, verdict, ...named })
    return [oneLine(heading), ...table(this.rows(signature)), ...this.#counterSignatures(signature)].join('\n')
  }

  rows(signature: SignatureReport): Row[] {
    const { labels, levels } = this.#texts
    const { kind, signer, certificate, policy, timestamps, coverage, level } = signature
    const rows: Row[] = [
      [kind === 'document-timestamp' ? labels.authority : labels.signer, ...this.#signer(signer)],
      [labels.time, this.#when(signature)],
      [labels.trust, ...this.#trust(signature)],
      [labels.content, this.#content(signature), ...this.#references(coverage)],
      ...this.#claims(signature),
      [labels.level, ...(kind === 'document-timestamp' ? [] : [levels[level]])],
    ]
    if (policy) rows.push([labels.policy, this.#policy(policy)])
    if (certificate) rows.push([labels.chain, certificate.path.map(nameOf).join(' → ')])
    // Without an anchor revocation was not queried, which the reason says already.
    if (certificate?.anchor) {
      rows.push([labels.revocation, ...certificate.revocation.map((one) => this.#revocation(one))])
    }
    rows.push([labels.timestamps, ...timestamps.map((timestamp) => this.#timestamp(timestamp))])
    rows.push([labels.later, ...counted((coverage.laterChanges ?? []).map((change) => this.#laterChange(change)))])
    rows.push([labels.remarks, ...this.#remarks(signature)])
    return rows.filter(([, ...lines]) => lines.length > 0)
  }

  #signer(signer: SignerReport | null): string[] {
    if (!signer) return ['?']
    const { cpf, cnpj, email, kind, organization } = signer
    const identity = [
      cpf && `CPF ${formattedCpf(cpf)}`,
      cnpj && `CNPJ ${formattedCnpj(cnpj)}`,
      email,
      kind && (this.#texts.holderKinds[kind] ?? kind),
      kind !== 'e-CPF' && organization !== signer.name && organization,
    ].filter(Boolean)
    const issuedBy = filled(this.#texts.labels.issuedBy, { issuer: signer.issuer })
    return [signer.name, ...(identity.length > 0 ? [identity.join(', ')] : []), issuedBy]
  }

  #when({ provenTime, claimedTime }: SignatureReport): string {
    const { labels } = this.#texts
    if (provenTime.by === 'timestamp') return filled(labels.proven, { time: this.#time(provenTime.time) })
    return claimedTime ? filled(labels.claimed, { time: this.#time(claimedTime) }) : labels.unclaimed
  }

  /** Why not to trust it, by weight: problems of the signature, then of the certificate. */
  #trust({ indication, findings, certificate, timestamps }: SignatureReport): string[] {
    if (indication === 'valid') return [this.#texts.labels.trusted]
    const worst = findings.filter(({ severity }) => severity === 'error' || severity === 'warning')
    const stamps = timestamps.filter((timestamp) => timestamp.indication !== 'valid')
    const why = [
      ...worst.map((finding) => this.#finding(finding)),
      ...this.#reasons(certificate),
      ...stamps.flatMap((timestamp) => this.#reasons(timestamp.certificate)),
    ]
    return [...new Set([this.#texts.labels.notTrusted[indication], ...why])]
  }

  #reasons(verdict: CertificateVerdict | null): string[] {
    return verdict?.reasons.map((reason) => this.#reason(reason)) ?? []
  }

  #reason({ code, certificate, details }: CertificateReason): string {
    const shown = Object.entries(details ?? {}).map(([name, value]) => [name, this.#shown(value)])
    return filled(this.#texts.reasons[code], { subject: nameOf(certificate), ...Object.fromEntries(shown) })
  }

  #content({ integrity: { content, signature }, coverage }: SignatureReport): string {
    const { labels } = this.#texts
    if (content.state === 'failed') return labels.contentChanged
    if (signature.state === 'failed') return labels.signatureWrong
    if (content.state === 'not-checked') return this.#unchecked(labels.contentUnchecked, content.reason)
    const covered = `${labels.contentIntact}; ${this.#covered(coverage)}`
    if (signature.state === 'passed') return covered
    return `${covered}; ${this.#unchecked(labels.signatureUnchecked, signature.reason)}`
  }

  /** Each of several contents; of one, the line above says everything. */
  #references({ references = [] }: CoverageReport): string[] {
    return references.length < 2 ? [] : references.map((reference) => this.#reference(reference))
  }

  #reference({ uri, path, content, description, mimeType }: ReferenceReport): string {
    const { contentIntact, contentChanged, contentUnchecked } = this.#texts.labels
    const said = [description, mimeType].filter(Boolean).join(', ')
    const states = { passed: contentIntact, failed: contentChanged }
    const state =
      content.state === 'not-checked' ? this.#unchecked(contentUnchecked, content.reason) : states[content.state]
    return `${path ?? uri}${said && ` (${said})`}: ${state}`
  }

  #unchecked(text: string, reason: UncheckedReason): string {
    return filled(text, { reason: this.#texts.unchecked[reason] })
  }

  #covered({ wholeDocument, revision, description, leftOut = [] }: CoverageReport): string {
    const { coversAll, coversRevision, coversPart, leftOut: without } = this.#texts.labels
    const part = revision ? filled(coversRevision, revision) : filled(coversPart, { description })
    const covered = wholeDocument ? coversAll : part
    return leftOut.length === 0 ? covered : `${covered}; ${filled(without, { paths: leftOut.join(', ') })}`
  }

  /** What the signer states; rows without lines are left out. */
  #claims({ claims }: SignatureReport): Row[] {
    if (!claims) return []
    const { labels, commitments } = this.#texts
    const { roles, place, mimeType, description } = claims
    return [
      [labels.roles, ...roles],
      [labels.commitments, ...claims.commitments.map((one) => (isCommitment(one) ? commitments[one] : one))],
      [labels.place, ...(place ? [placeLine(place)] : [])],
      [labels.mimeType, ...[[mimeType, description].filter(Boolean).join(', ')].filter(Boolean)],
    ]
  }

  #policy({ name, oid, status, hashMatches }: NonNullable<SignatureReport['policy']>): string {
    const notes = [
      this.#texts.policyStatus[status],
      ...(hashMatches === false ? [this.#texts.labels.policyHashWrong] : []),
    ]
    return `${name ?? oid} (${notes.join('; ')})`
  }

  #revocation({ certificate, state, source, producedAt, revokedAt, reason, problem }: RevocationStatus): string {
    const details = {
      ...(revokedAt && { time: this.#time(revokedAt) }),
      ...(reason && { reason }),
      ...(problem && { problem }),
    }
    const produced = {
      ...(source && { source: source.toUpperCase() }),
      ...(producedAt && { time: this.#time(producedAt) }),
    }
    const from = source ? filled(this.#texts.labels.revocationFrom, produced) : ''
    return `${nameOf(certificate)}: ${filled(this.#texts.revocation[state], details)}${from}`
  }

  #timestamp({ kind, time, authority, indication }: TimestampReport): string {
    const { labels, timestampKinds, timestampVerdicts } = this.#texts
    const verdict = timestampVerdicts[indication]
    return filled(labels.timestamp, {
      kind: timestampKinds[kind],
      verdict,
      ...(time && { time: this.#time(time), authority }),
    })
  }

  #laterChange({ revision, kind, permitted }: LaterChange): string {
    const { labels, laterChanges } = this.#texts
    const permission = permitted ? labels.permitted : labels.notPermitted
    return filled(labels.revision, { revision, kind: laterChanges[kind], permission })
  }

  /** The remaining findings: all of a valid signature, otherwise only the minor ones. */
  #remarks({ indication, findings }: SignatureReport): string[] {
    const asides = indication === 'valid' ? findings : findings.filter(({ severity }) => severity === 'info')
    // Later changes that are permitted have rows of their own.
    const unsaid = asides.filter(({ code }) => code !== 'pdf.permitted-change')
    return unsaid.map((finding) => this.#finding(finding))
  }

  #counterSignatures({ counterSignatures }: SignatureReport): string[] {
    if (counterSignatures.length === 0) return []
    const texts = counterSignatures.map((one, at) => this.#signature(one, at + 1, counterSignatures.length))
    return [`  ${this.#texts.labels.counterSignatures}`, ...texts.map((text) => text.replace(/^/gm, '    '))]
  }

  #finding(finding: Finding): string {
    return findingText(finding, this.#language)
  }

  #time(time: Date): string {
    return this.#clock.format(time)
  }

  /** Details are data: a time among them is formatted in the reader's time zone. */
  #shown(value: string | number): string | number {
    const isMoment = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    return isMoment ? this.#time(new Date(value)) : value
  }
}

const isCommitment = (name: string): name is CommitmentType => Object.hasOwn(commitmentTypes, name)

const nameOf = (certificate: Certificate): string => holderOf(certificate).name

/** Equal lines once, with their number. */
function counted(lines: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, count]) => (count === 1 ? line : `${line} × ${count}`))
}

/** Labels in one column, their lines in the next. */
function table(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.flatMap(([label, ...lines]) =>
    lines.map((line, at) => `  ${(at === 0 ? label : '').padEnd(width)}  ${oneLine(line)}`),
  )
}

// Names come from untrusted certificates: a line feed, an escape sequence or a change of direction in one of them could
// make the terminal show a forged verdict.
const oneLine = (text: string): string => withoutUnseen(text, '\ufffd')
