import type { Certificate } from '../x509/certificate.ts'
import { ALL_REASONS } from '../x509/distribution-points.ts'
import type { RevocationList } from './crl.ts'
import type { RevocationAnswer, Supplements } from './revocation-answer.ts'
import type { Revocation } from './revocation-reasons.ts'

/** A list whose signer is proven. */
export interface ProvenList {
  readonly list: RevocationList
  /** Its address; null when it was inside a signature. */
  readonly url: string | null
  readonly signer: Certificate
  /** What proves the signer, when it is not the issuer of the certificate. */
  readonly supplements: Supplements
}

/** What one complete list says of a certificate, with the changes of the newest delta CRL to it. */
interface Statement {
  readonly base: ProvenList
  readonly delta: ProvenList | undefined
  /** The reasons it would tell. */
  readonly reasons: number
  readonly revocation: Revocation | null
}

/**
 * What the lists say of the certificate (RFC 5280 §6.3.3): an answer for every list that tells a revocation or speaks
 * of every reason, and one of those lists together that do so only together.
 */
export function answersOf(lists: readonly ProvenList[], certificate: Certificate): RevocationAnswer[] {
  const deltas = lists.filter(({ list }) => list.baseNumber !== null)
  const statements = lists
    .filter(({ list }) => list.baseNumber === null)
    .map((base) => statementOf(base, deltas, certificate))
    .filter(({ reasons, revocation }) => reasons !== 0 || revocation !== null)
  const whole = statements.filter(({ reasons }) => reasons === ALL_REASONS)
  const partly = statements.filter(({ reasons }) => reasons !== ALL_REASONS)
  return [
    ...whole.map((statement) => answerOf([statement], true)),
    ...partly.filter(({ revocation }) => revocation).map((statement) => answerOf([statement], false)),
    ...together(partly),
  ]
}

/** The newest lists whose reasons complete each other; none if some reason stays open. */
function together(statements: readonly Statement[]): RevocationAnswer[] {
  const chosen: Statement[] = []
  let told = 0
  for (const statement of statements.toSorted((one, other) => newness(other) - newness(one))) {
    if ((statement.reasons & ~told) === 0) continue
    chosen.push(statement)
    told |= statement.reasons
  }
  return told === ALL_REASONS ? [answerOf(chosen, true)] : []
}

const newness = ({ base, delta }: Statement): number => (delta ?? base).list.thisUpdate.getTime()

function statementOf(base: ProvenList, deltas: readonly ProvenList[], certificate: Certificate): Statement {
  const { list } = base
  const reasons = list.reasonsFor(certificate)
  const delta = newest(deltas.filter((delta) => isDeltaTo(delta, base)))
  // An entry that the changes have stands for that of the list: it may also take the certificate off (§6.3.3 i to k).
  const entry = delta?.list.revocationOf(certificate) ?? list.revocationOf(certificate)
  const isListed = entry !== undefined && entry.reason !== 'removeFromCRL' && speaksOf(list, certificate, reasons)
  return { base, delta, reasons: delta?.list.hasUnknown ? 0 : reasons, revocation: isListed ? entry : null }
}

/** Whose own issuer lists it is revoked, wherever it does so; others are only believed about what they are named for. */
const speaksOf = ({ issuer, scope }: RevocationList, certificate: Certificate, reasons: number): boolean =>
  reasons !== 0 || (!scope.onlyAttributes && issuer.equals(certificate.issuer))

/** §5.2.4: of the same scope and key, and with every change since this list or an earlier one. */
function isDeltaTo({ list: delta, signer }: ProvenList, { list, signer: baseSigner }: ProvenList): boolean {
  return (
    delta.baseNumber !== null &&
    delta.number !== null &&
    list.number !== null &&
    compareNumbers(delta.baseNumber, list.number) <= 0 &&
    compareNumbers(delta.number, list.number) >= 0 &&
    delta.issuer.equals(list.issuer) &&
    delta.scope.der.equals(list.scope.der) &&
    signer.publicKeyInfo.equals(baseSigner.publicKeyInfo)
  )
}

const newest = (lists: readonly ProvenList[]): ProvenList | undefined =>
  lists.toSorted((one, other) => compareNumbers(other.list.number!, one.list.number!))[0]

/** Numbers of lists are not negative; leading zeros do not count. */
function compareNumbers(one: Buffer, other: Buffer): number {
  const [a, b] = [one, other].map((number) => number.toString('hex').replace(/^0+/, '')) as [string, string]
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

function answerOf(statements: readonly Statement[], everyReason: boolean): RevocationAnswer {
  const [first] = statements as [Statement, ...Statement[]]
  const used = statements.flatMap(({ base, delta }) => (delta ? [base, delta] : [base]))
  const revocations = statements.flatMap(({ revocation }) => revocation ?? [])
  return {
    source: 'crl',
    url: first.base.url,
    evidence: first.base.list.der,
    thisUpdate: statements.map(updatedAt).reduce(earlier),
    nextUpdate: statements.map(nextUpdateOf).reduce(earlierUpdate),
    revocation: revocations.length > 0 ? revocations.reduce((one, other) => (one.at <= other.at ? one : other)) : null,
    everyReason,
    remembersExpiredSince: statements.map(({ base }) => base.list.keepsExpiredSince).reduce(laterOrNever),
    responder: null,
    supplements: supplementsOf(first.base, used),
  }
}

const updatedAt = ({ base, delta }: Statement): Date => later(base.list.thisUpdate, (delta ?? base).list.thisUpdate)

/** What holds until then holds until the later of both: the changes are as good as a new list. */
function nextUpdateOf({ base: { list }, delta }: Statement): Date | null {
  const ofDelta = delta?.list.nextUpdate
  return ofDelta && list.nextUpdate ? later(list.nextUpdate, ofDelta) : (ofDelta ?? list.nextUpdate)
}

const earlier = (one: Date, other: Date): Date => (one <= other ? one : other)
const later = (one: Date, other: Date): Date => (one >= other ? one : other)
/** A list without nextUpdate holds for the shortest time. */
const earlierUpdate = (one: Date | null, other: Date | null): Date | null => (one && other ? earlier(one, other) : null)
const laterOrNever = (one: Date | null, other: Date | null): Date | null => (one && other ? later(one, other) : null)

/** Lists besides the first, and what proves the signers of them all. */
function supplementsOf(first: ProvenList, used: readonly ProvenList[]): Supplements {
  if (used.length === 1) return first.supplements
  const others = used.filter((one) => one !== first).map(({ list }) => list.der)
  return {
    certificates: used.flatMap(({ supplements }) => supplements.certificates),
    crls: [...others, ...used.flatMap(({ supplements }) => supplements.crls)],
    ocsps: used.flatMap(({ supplements }) => supplements.ocsps),
  }
}
