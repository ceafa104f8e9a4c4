import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type IssuedCertificate, issuedCertificate } from './certificate.ts'
import type { Revocation } from './crl.ts'
import { type RevocationReason, revocationReasons } from './declaration.ts'
import { DemoPki, type DemoPkiOptions } from './demo-pki.ts'
import { type DemoKey, keyFromPem, keyToPem } from './keys.ts'

// A saved PKI is a folder: pki.json lists the certificates and revocations, certificates/ and keys/ hold one PEM each.
const reasons = Object.keys(revocationReasons) as RevocationReason[]
const savedPki = Type.Object({
  version: Type.Literal(1),
  baseUrl: Type.String(),
  certificates: Type.Array(
    Type.Object({
      label: Type.String({ pattern: '^[a-z0-9-]+$' }),
      issuer: Type.String(),
      revoked: Type.Optional(
        Type.Object({ at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }), reason: Type.Enum(reasons) }),
      ),
    }),
  ),
})

type SavedPki = Static<typeof savedPki>
type SavedCertificate = SavedPki['certificates'][number]

/**
 * Saves the PKI so that a crash leaves either the old folder or the new one: everything is written to a new folder,
 * which then replaces the old one.
 */
export async function saveDemoPki(pki: DemoPki, folder: string): Promise<void> {
  const [unfinished, previous] = [`${folder}.saving`, previousOf(folder)]
  await rm(unfinished, { recursive: true, force: true })
  await writeAll(pki, unfinished)
  if (await exists(folder)) {
    await rm(previous, { recursive: true, force: true })
    await rename(folder, previous)
  }
  await rename(unfinished, folder)
  await rm(previous, { recursive: true, force: true })
}

/** The PKI saved in the folder, or undefined when none was. A damaged one is a StartupProblem that says what to do. */
export async function loadDemoPki(folder: string, options: DemoPkiOptions): Promise<DemoPki | undefined> {
  await finishInterruptedSave(folder)
  if (!(await exists(folder))) return undefined
  const saved = await readIndex(folder)
  if (saved.baseUrl !== options.baseUrl) throw servedElsewhere(folder, saved.baseUrl, options.baseUrl)
  const pki = new DemoPki(options)
  for (const certificate of saved.certificates) {
    pki.restore(await readCertificate(folder, certificate), revocationOf(certificate))
  }
  return pki
}

async function writeAll(pki: DemoPki, folder: string): Promise<void> {
  const certificates = pki.certificates().toSorted((one, other) => one.label.localeCompare(other.label))
  await mkdir(join(folder, 'certificates'), { recursive: true, mode: 0o700 })
  await mkdir(join(folder, 'keys'), { mode: 0o700 })
  for (const { label, x509, key } of certificates) {
    await writeFile(certificateFile(folder, label), x509.toString())
    await writeFile(keyFile(folder, label), keyToPem(key), { mode: 0o600 })
  }
  const index: SavedPki = {
    version: 1,
    baseUrl: pki.baseUrl,
    certificates: certificates.map((one) => indexed(pki, one)),
  }
  await writeFile(join(folder, 'pki.json'), `${JSON.stringify(index, undefined, 2)}\n`)
}

function indexed(pki: DemoPki, certificate: IssuedCertificate): SavedCertificate {
  const revoked = pki.revocationOf(certificate)
  return {
    label: certificate.label,
    issuer: certificate.issuer,
    ...(revoked && { revoked: { at: revoked.at.toISOString(), reason: revoked.reason } }),
  }
}

/** A crash between the two renames leaves only the previous folder, which is still complete. */
async function finishInterruptedSave(folder: string): Promise<void> {
  if (!(await exists(folder)) && (await exists(previousOf(folder)))) await rename(previousOf(folder), folder)
}

async function readIndex(folder: string): Promise<SavedPki> {
  const file = join(folder, 'pki.json')
  const index: unknown = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch((cause) => {
      throw damaged(folder, `${file} cannot be read`, cause)
    })
  if (!Value.Check(savedPki, index)) throw damaged(folder, `${file} is not the index of a demo PKI`)
  const labels = new Set(index.certificates.map(({ label }) => label))
  const orphan = index.certificates.find(({ issuer }) => !labels.has(issuer))
  if (orphan) throw damaged(folder, `${file} lists ${orphan.label}, but not its issuer`)
  return index
}

async function readCertificate(folder: string, { label, issuer }: SavedCertificate): Promise<IssuedCertificate> {
  const key = await readKey(keyFile(folder, label), folder)
  const file = certificateFile(folder, label)
  const certificate = await readFile(file)
    .then((pem) => issuedCertificate(label, issuer, pem, key))
    .catch((cause) => {
      throw damaged(folder, `${file} is missing or is no certificate`, cause)
    })
  if (!certificate.x509.checkPrivateKey(key.privateKey)) throw damaged(folder, `${file} and its key do not match`)
  return certificate
}

const readKey = (file: string, folder: string): Promise<DemoKey> =>
  readFile(file, 'utf8')
    .then(keyFromPem)
    .catch((cause) => {
      throw damaged(folder, `${file} is missing or is no key`, cause)
    })

const revocationOf = ({ revoked }: SavedCertificate): Revocation | undefined =>
  revoked && { reason: revoked.reason, at: new Date(revoked.at) }

const damaged = (folder: string, what: string, cause?: unknown): StartupProblem =>
  new StartupProblem(
    `The demo PKI in ${folder} is damaged: ${what}. Start with --fresh, or delete the folder, to make a new one.`,
    { cause },
  )

const servedElsewhere = (folder: string, savedFor: string, wanted: string): StartupProblem =>
  new StartupProblem(
    `The demo PKI in ${folder} was made for ${savedFor} and its certificates carry that address, so it cannot be ` +
      `served at ${wanted}. Serve it there again, or start with --fresh to make a new one.`,
  )

const previousOf = (folder: string): string => `${folder}.previous`
const certificateFile = (folder: string, label: string): string => join(folder, 'certificates', `${label}.pem`)
const keyFile = (folder: string, label: string): string => join(folder, 'keys', `${label}.pem`)

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
