import { requireArguments } from '../errors/arguments.ts'
import type { HttpExchange } from '../http/exchange.ts'
import { refuseRevocation } from '../revocation/errors.ts'
import { OcspResponse } from '../revocation/ocsp.ts'
import type { ListProver } from '../revocation/revocation-answer.ts'
import type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
import type { RevocationSource } from '../revocation/revocation-source.ts'
import type { TrustAnchors } from '../trust/trust-anchors.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { CertificatePurpose } from './certificate-purpose.ts'
import { refuseJudgement } from './errors.ts'
import { IssuerPool } from './issuer-pool.ts'
import { judgeRevocation } from './judge-revocation.ts'
import { evidenceIn, ListSigners } from './list-signers.ts'
import { type FoundPaths, findPaths, type Issuers } from './path-building.ts'
import { type PathExpectations, pathReasons } from './path-checks.ts'
import { type PolicyInputs, pathPolicies } from './policy-graph.ts'
import {
  type CertificateReason,
  type CertificateReasonCode,
  type CertificateVerdict,
  certificateReasons,
  type Indication,
  indicationOf,
  type RevocationStatus,
} from './verdict.ts'

export interface JudgeOptions {
  readonly anchors: TrustAnchors
  /** Source of revocation data beyond that in a signature; default: none. */
  readonly revocation?: RevocationSource
  /** How missing issuers are downloaded (caIssuers); default: they are not. */
  readonly exchange?: HttpExchange
  /** Authorities that are known but not trusted by themselves. */
  readonly intermediates?: readonly Certificate[]
  /** Policies demanded of certificates that sign documents; options of a call come first. Default: any, or none. */
  readonly policyInputs?: PolicyInputs
}

export interface JudgedCertificateOptions extends PolicyInputs {
  /** The time at which the certificate must have been good: the proven time of the signature. */
  readonly at: Date
  readonly now: Date
  /** Default `signing`. */
  readonly purpose?: CertificatePurpose
  /** Candidates found in the signature. */
  readonly certificates?: readonly Certificate[]
  /** Revocation data found inside the signature. */
  readonly evidence?: RevocationEvidence
  /** Acceptable certificate policies: the certificate must have one at or under one of these arcs. Default: any. */
  readonly policies?: readonly string[]
}

/** Chain and revocation data, as long-term levels store them. */
export interface ValidationData {
  /** The path with signer and root, and the signers of OCSP answers. */
  readonly certificates: readonly Certificate[]
  readonly crls: readonly Uint8Array[]
  /** Full OCSPResponse structures. */
  readonly ocsps: readonly Uint8Array[]
  readonly anchor: Certificate
}

/** Validates certificates. Create it once: it caches paths and revocation data. */
export interface Judge {
  certificate(certificate: Certificate, options: JudgedCertificateOptions): Promise<CertificateVerdict>
  /** Chain and revocation data for long-term levels; throws `revocation.unavailable`, naming what is missing. */
  validationData(
    certificate: Certificate,
    options: Pick<JudgedCertificateOptions, 'at' | 'now' | 'purpose' | 'certificates' | 'evidence'>,
  ): Promise<ValidationData>
}

/** A judge over these anchors. It reaches the network only through `revocation` and `exchange`. */
export function createJudge(options: JudgeOptions): Judge {
  requireArguments('createJudge', {}, options, ['anchors'])
  const { anchors, revocation, exchange, intermediates = [], policyInputs } = options
  const pool = new IssuerPool(intermediates, exchange)
  const judge: Judge = {
    certificate: (certificate, asked) =>
      judgeCertificate({ anchors, pool, revocation }, certificate, withInputs(asked, policyInputs)),
    async validationData(certificate, options) {
      return dataOf(certificate, await judge.certificate(certificate, options))
    },
  }
  return judge
}

/** Timestamps and OCSP answers are signed under policies of their own. */
const withInputs = (asked: JudgedCertificateOptions, inputs: PolicyInputs | undefined): JudgedCertificateOptions =>
  (asked.purpose ?? 'signing') === 'signing' ? { ...inputs, ...asked } : asked

interface Dependencies {
  readonly anchors: TrustAnchors
  readonly pool: IssuerPool
  readonly revocation: RevocationSource | undefined
}

async function judgeCertificate(
  dependencies: Dependencies,
  certificate: Certificate,
  options: JudgedCertificateOptions,
): Promise<CertificateVerdict> {
  const issuers = issuersOf(dependencies, options)
  const found = await findPathsWithDownloads(dependencies, issuers, certificate, options)
  if (found.anchored.length === 0) return withoutAnchor(found, options)
  const signersUnder = (anchor: Certificate, known: Issuers) =>
    ListSigners.of({
      issuers: known,
      anchor,
      judge: (path, signers) => judgePath(dependencies, path, asListSigner(options), signers),
    })
  let best: CertificateVerdict | undefined
  for (const path of mostPromising(found.anchored, dependencies, options)) {
    const verdict = await judgePath(dependencies, path, options, signersUnder(path.at(-1)!, issuers))
    if (verdict.indication === 'valid') return verdict
    best ??= verdict
  }
  return best!
}

/** Hierarchies deeper than this do not exist; each round downloads one more issuer. */
const MAX_DOWNLOADS = 5

const issuersOf = ({ anchors, pool }: Dependencies, { certificates = [] }: JudgedCertificateOptions): Issuers => ({
  anchors,
  named: (key) => [...certificates.filter(({ subject }) => subject.key === key), ...pool.named(key)],
})

async function findPathsWithDownloads(
  { pool }: Dependencies,
  issuers: Issuers,
  certificate: Certificate,
  { now }: JudgedCertificateOptions,
): Promise<FoundPaths> {
  let found = findPaths(certificate, issuers)
  for (let round = 0; found.anchored.length === 0 && round < MAX_DOWNLOADS; round++) {
    const top = found.longest.at(-1)!
    if (isRoot(top) || !(await pool.download(top, now))) break
    found = findPaths(certificate, issuers)
  }
  return found
}

/** Paths with fewer problems come first; revocation is checked for few. */
const MAX_JUDGED_PATHS = 4

function mostPromising(
  paths: readonly (readonly Certificate[])[],
  dependencies: Dependencies,
  options: JudgedCertificateOptions,
) {
  if (paths.length === 1) return paths
  return paths
    .map((path) => ({ path, weight: weightOf(anchoredReasons(path, dependencies, options)) }))
    .toSorted((one, other) => one.weight - other.weight)
    .slice(0, MAX_JUDGED_PATHS)
    .map(({ path }) => path)
}

/** The problems of a path to an anchor, apart from revocation. */
function anchoredReasons(
  path: readonly Certificate[],
  { anchors }: Pick<Dependencies, 'anchors'>,
  options: JudgedCertificateOptions,
): CertificateReason[] {
  const anchor = path.at(-1)!
  const isTrusted = anchors.trustedAt(anchor, options.at)
  return [
    ...(isTrusted ? [] : [{ code: 'chain.untrusted-then', certificate: anchor } as const]),
    ...pathReasons(path, true, expectationsOf(options)),
  ]
}

const weights: Readonly<Record<Indication, number>> = { valid: 0, indeterminate: 1, invalid: 100 }

const weightOf = (reasons: readonly CertificateReason[]): number =>
  reasons.reduce((sum, { code }) => sum + weights[certificateReasons[code].indication], 0)

async function judgePath(
  { anchors, revocation: source }: Dependencies,
  path: readonly Certificate[],
  options: JudgedCertificateOptions,
  signers: ListSigners,
): Promise<CertificateVerdict> {
  const { at, now, evidence } = options
  const anchor = path.at(-1)!
  const judged = await Promise.all(
    path.slice(0, -1).map((certificate, height) => {
      const prover: ListProver = (list) => signers.whileJudging(certificate).prove(list)
      return judgeRevocation(certificate, path[height + 1]!, { at, now, evidence, source, prover })
    }),
  )
  const reasons = [
    ...anchoredReasons(path, { anchors }, options),
    ...judged.flatMap(({ reasons: ofRevocation }) => ofRevocation),
  ]
  const revocation = judged.map(({ status }) => status)
  const { policies } = pathPolicies(path, options)
  return { indication: indicationOf(reasons), reasons, at, path, anchor, policies, revocation }
}

/** Nothing is demanded of a signer of lists but a path: its key usage was looked at with the list's signature. */
const asListSigner = ({ at, now, certificates, evidence }: JudgedCertificateOptions): JudgedCertificateOptions => ({
  at,
  now,
  purpose: 'any',
  ...(certificates && { certificates }),
  ...(evidence && { evidence }),
})

/** Revocation is not queried for a path without an anchor: its addresses are untrusted. */
function withoutAnchor({ longest: path, forged }: FoundPaths, options: JudgedCertificateOptions): CertificateVerdict {
  const top = path.at(-1)!
  const reasons: CertificateReason[] = [
    { code: endOfPath(top, forged), certificate: top, details: { issuer: top.issuer.toString() } },
    ...pathReasons(path, false, expectationsOf(options)),
  ]
  return {
    indication: indicationOf(reasons),
    reasons,
    at: options.at,
    path,
    anchor: null,
    policies: [],
    revocation: path.map(notAsked),
  }
}

/** Self-issued alone may also be a new key that the old one certified. */
const isRoot = (certificate: Certificate): boolean => certificate.selfIssued && certificate.issued(certificate)

function endOfPath(top: Certificate, forged: ReadonlySet<Certificate>): CertificateReasonCode {
  if (forged.has(top)) return 'chain.wrong-signature'
  return isRoot(top) ? 'chain.untrusted-root' : 'chain.no-path'
}

const notAsked = (certificate: Certificate): RevocationStatus => ({
  certificate,
  state: 'unknown',
  source: null,
  url: null,
  producedAt: null,
  nextUpdate: null,
  revokedAt: null,
  reason: null,
  evidence: null,
  problem: 'The path reaches no trusted root, so that nobody was asked.',
})

const expectationsOf = (options: JudgedCertificateOptions): PathExpectations => ({
  at: options.at,
  purpose: options.purpose ?? 'signing',
  policies: options.policies,
  inputs: options,
})

function dataOf(certificate: Certificate, verdict: CertificateVerdict): ValidationData {
  const { anchor, path, revocation, indication, reasons } = verdict
  const subject = certificate.subject.toString()
  if (!anchor) throw refuseJudgement('judgement.untrusted', { subject })
  const missing = revocation.find(({ state }) => state === 'unknown')
  if (missing) {
    const { certificate: about, problem } = missing
    throw refuseRevocation('revocation.unavailable', { subject: about.subject.toString(), reason: problem })
  }
  if (indication === 'invalid') {
    throw refuseJudgement('judgement.not-valid', { subject, reasons: reasons.map(({ code }) => code).join(', ') })
  }
  const { crls, ocsps, certificates } = evidenceIn(revocation)
  const responders = ocsps.flatMap((ocsp) => OcspResponse.read(ocsp).certificates)
  return {
    certificates: unique([...path, ...responders, ...certificates]),
    crls: unique(crls),
    ocsps: unique(ocsps),
    anchor,
  }
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]
