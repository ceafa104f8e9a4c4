import { readdir, readFile } from 'node:fs/promises'
import { join, parse, resolve } from 'node:path'
import { toPem } from '@chancela/signature-engine/der'
import { PolicyCatalogue, readLpa } from '@chancela/signature-engine/policies'
import { type Certificate, readCertificates } from '@chancela/signature-engine/x509'
import { readInput, writeOutput } from './files.ts'

/** Why a certificate is in the trust folder; each kind has a file of its own. */
const certificateFiles = {
  /** Roots of ICP-Brasil, by pinned fingerprint. */
  official: 'icp-brasil-roots.pem',
  /** Roots the operator decided to trust. */
  own: 'own-roots.pem',
  /** Intermediate authorities: known, but not trusted by themselves. */
  intermediate: 'intermediates.pem',
} as const

export type TrustKind = keyof typeof certificateFiles

const LIST = /^LPA.*\.(der|xml)$/i

/** What this machine trusts. */
export interface TrustStore {
  readonly certificates: Readonly<Record<TrustKind, readonly Certificate[]>>
  readonly policies: PolicyCatalogue
}

export interface TrustFolderOptions {
  readonly data: string
  /** Default: the folder `trust` of the data. */
  readonly folder?: string
}

export const trustFolderOf = ({ data, folder }: TrustFolderOptions): string => resolve(folder ?? join(data, 'trust'))

/** Reads the trust folder; a missing folder means that nothing is trusted. */
export async function readTrustStore(folder: string): Promise<TrustStore> {
  const names = await readdir(folder).catch((): string[] => []) // `chancela trust update` or `add` creates it
  const certificatesIn = async (name: string) =>
    names.includes(name) ? readCertificates(await readInput(join(folder, name))) : []
  const lists = names.filter((name) => LIST.test(name))
  return {
    certificates: {
      official: await certificatesIn(certificateFiles.official),
      own: await certificatesIn(certificateFiles.own),
      intermediate: await certificatesIn(certificateFiles.intermediate),
    },
    policies: new PolicyCatalogue(
      await Promise.all(lists.map(async (name) => readLpa(await readFile(join(folder, name))))),
    ),
  }
}

/** Adds certificates to the file of their kind. Returns those that are new. */
export async function addCertificates(
  folder: string,
  kind: TrustKind,
  certificates: readonly Certificate[],
): Promise<Certificate[]> {
  const known = (await readTrustStore(folder)).certificates[kind]
  const added = [...new Set(certificates)].filter((certificate) => !known.includes(certificate))
  if (added.length > 0) {
    const text = [...known, ...added].map(described).join('\n')
    await writeOutput(join(folder, certificateFiles[kind]), Buffer.from(text), { force: true })
  }
  return added
}

/** Replaces the list of approved policies of this name. */
export const addPolicyList = (folder: string, name: string, bytes: Uint8Array): Promise<void> =>
  writeOutput(join(folder, listName(name, bytes)), bytes, { force: true })

/** A list is found again by its name, and must not take that of a file of certificates. */
function listName(name: string, bytes: Uint8Array): string {
  if (LIST.test(name)) return name
  const { name: stem } = parse(name)
  return `LPA ${stem}.${isDerList(bytes) ? 'der' : 'xml'}`
}

/** A list is a SEQUENCE in DER, or XML. */
export const isDerList = (bytes: Uint8Array): boolean => bytes[0] === 0x30

/** PEM with the subject's name above it, so that people can read the file. */
const described = (certificate: Certificate): string =>
  `# ${certificate.subject.toString()}\n# SHA-256 ${certificate.fingerprint}\n${toPem('CERTIFICATE', certificate.der)}`
