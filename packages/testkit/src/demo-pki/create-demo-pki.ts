import { DAY, plus } from '@chancela/service-kernel/clock'
import { authorities, holders, services } from './declaration.ts'
import { DemoPki, type DemoPkiOptions } from './demo-pki.ts'
import { type DemoKey, freshKeys, type KeyKind, type KeySource } from './keys.ts'

/** Makes the declared PKI: keys, certificates, revocations. */
export async function createDemoPki(options: DemoPkiOptions): Promise<DemoPki> {
  const pki = new DemoPki(options)
  await issueWhatIsMissing(pki, options.keys)
  return pki
}

/** Generates every declared key and nothing else, so that a caching source has them. */
export async function makeDeclaredKeys(keySource: KeySource): Promise<void> {
  await makeKeys(declaredKeys(), keySource)
}

/** Issues every declared certificate the PKI does not have yet, and returns their number. */
export async function issueWhatIsMissing(pki: DemoPki, keySource: KeySource = freshKeys): Promise<number> {
  const missing = declaredKeys().filter(([label]) => !pki.has(label))
  const keys = await makeKeys(missing, keySource)
  const keyOf = (label: string): DemoKey | undefined => keys.get(label)
  await issueAuthorities(pki, keyOf)
  await Promise.all([...issueServices(pki, keyOf), ...issueHolders(pki, keyOf)])
  return missing.length
}

type KeyOf = (label: string) => DemoKey | undefined

/** Label and kind of every declared key, the slowest first: the root's takes longer than ten holders'. */
function declaredKeys(): [string, KeyKind][] {
  const slowestFirst: KeyKind[] = ['RSA-4096', 'RSA-2048', 'P-384', 'P-256']
  const declared: [string, { key?: KeyKind }][] = Object.entries({ ...authorities, ...services, ...holders })
  return declared
    .map(([label, { key = 'RSA-2048' }]): [string, KeyKind] => [label, key])
    .toSorted(([, one], [, other]) => slowestFirst.indexOf(one) - slowestFirst.indexOf(other))
}

async function makeKeys(wanted: [string, KeyKind][], keySource: KeySource): Promise<ReadonlyMap<string, DemoKey>> {
  return new Map(await Promise.all(wanted.map(async ([label, kind]) => [label, await keySource(label, kind)] as const)))
}

/** One after the other: each needs the one above it. */
async function issueAuthorities(pki: DemoPki, keyOf: KeyOf): Promise<void> {
  for (const [label, declared] of Object.entries(authorities)) {
    const key = keyOf(label)
    if (key) await pki.issueAuthority(label, declared, key)
  }
}

const issueServices = (pki: DemoPki, keyOf: KeyOf): Promise<void>[] =>
  Object.entries(services).flatMap(([label, declared]) => {
    const key = keyOf(label)
    return key ? [pki.issueService(label, declared, key)] : []
  })

const issueHolders = (pki: DemoPki, keyOf: KeyOf): Promise<void>[] =>
  Object.entries(holders).flatMap(([label, declared]) => {
    const key = keyOf(label)
    return key ? [issueDeclared(pki, label, declared, key)] : []
  })

async function issueDeclared(
  pki: DemoPki,
  label: string,
  { holder, revoked, ...terms }: (typeof holders)[string],
  key: DemoKey,
): Promise<void> {
  const certificate = await pki.issueHolder(label, holder, terms, key)
  if (revoked) pki.revoke(certificate, { reason: revoked.reason, at: plus(pki.clock(), -revoked.daysAgo * DAY) })
}
