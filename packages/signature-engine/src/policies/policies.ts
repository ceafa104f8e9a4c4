import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Certificate } from '../x509/certificate.ts'
import { refusePolicy } from './errors.ts'
import { policyRoots, policyTable } from './policy-table.ts'

/** The forms of ICP-Brasil: basic, with time, for validation, complete, for archival (DOC-ICP-15). */
export type PolicyName = 'AD-RB' | 'AD-RT' | 'AD-RV' | 'AD-RC' | 'AD-RA'

/** Formats that ICP-Brasil has policies for. */
type PolicyFormat = 'CAdES' | 'XAdES' | 'PAdES'

/** One published version of one signature policy. */
export interface SigningPolicy {
  readonly oid: string
  readonly name: PolicyName
  readonly format: PolicyFormat
  readonly version: string
  readonly uri: string
  /** The digest inside the artefact: this one goes into signatures (DOC-ICP-15.03, annex 1, note 2). */
  readonly hash: Buffer
  /** Algorithm of `hash`: SHA-256 for everything that can still be signed under. */
  readonly digest: DigestName
  /** SHA-256 of the artefact's file: this one is in the list of approved policies, never in a signature. */
  readonly fileHash: Buffer
  /** Signing period. */
  readonly notBefore: Date
  readonly notAfter: Date
  readonly revokedAt: Date | null
  /** Fingerprints (SHA-256) of the roots a signer's certificate may chain to. */
  readonly roots: readonly string[]
  /** Why nothing new is signed under this version although it is valid; null when it may be used. */
  readonly defect: string | null
}

const ARC = '2.16.76.1.7.1'
const ADDRESS = 'http://politicas.icpbrasil.gov.br/'

/** Arc of each form; there is no AD-RV for PAdES. */
const arcs: Readonly<Record<PolicyFormat, Partial<Record<PolicyName, number>>>> = {
  CAdES: { 'AD-RB': 1, 'AD-RT': 2, 'AD-RV': 3, 'AD-RC': 4, 'AD-RA': 5 },
  XAdES: { 'AD-RB': 6, 'AD-RT': 7, 'AD-RV': 8, 'AD-RC': 9, 'AD-RA': 10 },
  PAdES: { 'AD-RB': 11, 'AD-RT': 12, 'AD-RC': 13, 'AD-RA': 14 },
}

// These artefacts require a Filter and SubFilter that end with a space; they were re-issued six weeks later.
const TRAILING_SPACE = 'It demands a Filter and a SubFilter that end with a space.'
const defects: Readonly<Record<string, string>> = {
  'PAdES AD-RB 1.2': TRAILING_SPACE,
  'PAdES AD-RT 1.2': TRAILING_SPACE,
  'PAdES AD-RC 1.3': TRAILING_SPACE,
  'PAdES AD-RA 1.3': TRAILING_SPACE,
}

/** Every published version of every policy, including those only used to verify old signatures. */
export const signingPolicies: readonly SigningPolicy[] = policyTable.map(
  ([format, name, version, notBefore, notAfter, roots, hash, fileHash, revokedAt]) => ({
    oid: oidOf(format as PolicyFormat, name as PolicyName, version),
    name: name as PolicyName,
    format: format as PolicyFormat,
    version,
    uri: `${ADDRESS}${fileNameOf(format as PolicyFormat, name, version)}`,
    hash: Buffer.from(hash, 'hex'),
    digest: digestOfLength(hash.length / 2),
    fileHash: Buffer.from(fileHash, 'hex'),
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    revokedAt: revokedAt === undefined ? null : new Date(revokedAt),
    roots: roots.split(' ').map((root) => policyRoots[root as keyof typeof policyRoots]),
    defect: defects[`${format} ${name} ${version}`] ?? null,
  }),
)

const byOid = new Map(signingPolicies.map((policy) => [policy.oid, policy]))

/** What new signatures may name, by format and form, the newest first: every signature asks. */
const usable = new Map<string, SigningPolicy[]>()
for (const policy of signingPolicies.toSorted((a, b) => b.notBefore.getTime() - a.notBefore.getTime())) {
  const form = `${policy.format} ${policy.name}`
  if (policy.defect === null) usable.set(form, [...(usable.get(form) ?? []), policy])
}

export const policyByOid = (oid: string): SigningPolicy | undefined => byOid.get(oid)

/** What of a certificate decides. */
type Root = Pick<Certificate, 'fingerprint'> & { readonly subject: Pick<Certificate['subject'], 'commonName'> }

export interface PolicySelection {
  readonly format: PolicyFormat
  readonly name: PolicyName
  /** The root of the signer's path; without one of ICP-Brasil, the newest version is taken. */
  readonly root?: Root | undefined
  readonly now: Date
}

/**
 * The version to sign under: the newest valid one that lists the certificate's root. Root and format decide together,
 * because the same version number covers different roots in different formats (XAdES 2.4 lacks root v12, CAdES 2.4 has
 * it).
 */
export function selectPolicy(selection: PolicySelection): SigningPolicy {
  requireArguments('selectPolicy', {}, selection, ['now'])
  const { format, name, root, now } = selection
  requireForm(format, name)
  const newest = usable.get(`${format} ${name}`)?.find((policy) => isInForce(policy, now) && namesRoot(policy, root))
  if (newest) return newest
  const named = root?.subject.commonName ?? 'of any generation'
  throw refusePolicy('policy.no-version', { format, name, time: now.toISOString(), root: named })
}

/** Whether a signature at this time may use the policy. */
export const isInForce = (policy: Pick<SigningPolicy, 'notBefore' | 'notAfter' | 'revokedAt'>, at: Date): boolean =>
  policy.notBefore <= at && at <= policy.notAfter && !(policy.revokedAt && at >= policy.revokedAt)

/** `AD-RB 2.4 (CAdES)`, also for a version that was published after this engine; null outside ICP-Brasil's arcs. */
export function policyTitle(oid: string): string | null {
  const known = byOid.get(oid)
  if (known) return `${known.name} ${known.version} (${known.format})`
  const [, arc, version, release = '0'] = /^2\.16\.76\.1\.7\.1\.(\d+)\.(\d+)(?:\.(\d+))?$/.exec(oid) ?? []
  for (const [format, forms] of Object.entries(arcs)) {
    const name = Object.entries(forms).find(([, number]) => String(number) === arc)?.[0]
    if (name) return `${name} ${version}.${release} (${format})`
  }
  return null
}

function requireForm(format: PolicyFormat, name: PolicyName): void {
  if (arcs[format][name] !== undefined) return
  throw refusePolicy('policy.no-such-form', { format, name, available: Object.keys(arcs[format]).join(', ') })
}

const icpBrasilRoots = new Set<string>(Object.values(policyRoots))

function namesRoot(policy: SigningPolicy, root: Root | undefined): boolean {
  return !root || !icpBrasilRoots.has(root.fingerprint) || policy.roots.includes(root.fingerprint)
}

// Version 2.0 has no release arc: 2.16.76.1.7.1.1.2.
function oidOf(format: PolicyFormat, name: PolicyName, version: string): string {
  return `${ARC}.${arcs[format][name]}.${version.replace(/\.0$/, '')}`
}

// The first CAdES and XAdES artefacts were published without a version in their names.
function fileNameOf(format: PolicyFormat, name: string, version: string): string {
  const form = name.replace('-', '_')
  const suffix = `_v${version.replace('.', '_')}`
  if (format === 'PAdES') return `PA_PAdES_${form}${suffix}.der`
  return `PA_${form}${version === '1.0' ? '' : suffix}.${format === 'XAdES' ? 'xml' : 'der'}`
}

function digestOfLength(bytes: number): DigestName {
  return bytes === digestAlgorithms.sha1.bytes ? 'sha1' : 'sha256'
}
