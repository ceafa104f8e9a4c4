import { basename, dirname, extname, join } from 'node:path'
import type { DocumentFormat } from '@chancela/signature-engine/report'

export interface NamingOptions {
  /** CAdES, JAdES: the content stays outside. */
  readonly detached?: boolean
  /** CAdES: PEM. */
  readonly pem?: boolean
  /** JAdES, ASiC: a signature is added to those of the container. */
  readonly coSign?: boolean
}

/** How the signed file of each format is called. */
const names: Readonly<Record<DocumentFormat, (name: string, options: NamingOptions) => string>> = {
  CAdES: (name, { pem, detached }) => `${name}.${pem ? 'pem' : detached ? 'p7s' : 'p7m'}`,
  XAdES: (name) => `${stem(name)}.signed.xml`,
  PAdES: (name) => `${stem(name)}.signed.pdf`,
  JAdES: (name, { coSign }) => (coSign ? `${stem(name)}.signed${extname(name)}` : `${name}.jws`),
  'ASiC-S': (name, options) => containerName(name, '.asics', options),
  'ASiC-E': (name, options) => containerName(name, '.asice', options),
}

/** `contract.pdf` → `contract.signed.pdf`, `notes.txt` → `notes.txt.p7m`, in the same folder. */
export const signedName = (path: string, format: DocumentFormat, options: NamingOptions = {}): string =>
  join(dirname(path), names[format](basename(path), options))

/** `contract.pdf` → `contract.fields.pdf`. */
export const fieldsName = (path: string): string => join(dirname(path), `${stem(basename(path))}.fields.pdf`)

/** `contract.pdf` → `contract.pdf.enc`. */
export const encryptedName = (path: string): string => `${path}.enc`

/** `contract.pdf.enc` → `contract.pdf`; a name without `.enc` gets `.decrypted`. */
export const decryptedName = (path: string): string =>
  path.endsWith('.enc') ? path.slice(0, -'.enc'.length) : `${path}.decrypted`

/** `contract.pdf` → `contract.repaired.pdf`. */
export const repairedName = (path: string): string =>
  join(dirname(path), `${stem(basename(path))}.repaired${extname(path)}`)

/** `contract.pdf` → `contract.pdf.tst`. */
export const timestampName = (path: string): string => `${path}.tst`

/** `contract.signed.pdf` → `contract.signed.B-LTA.pdf`. */
export const extendedName = (path: string, level: string): string =>
  join(dirname(path), `${stem(basename(path))}.${level}${extname(path)}`)

/** The usual content file of a detached signature or timestamp: `notes.txt.p7s` → `notes.txt`. */
export const contentName = (path: string): string | undefined =>
  /\.(p7s|tst|tsr)$/i.test(path) ? path.slice(0, path.lastIndexOf('.')) : undefined

/** `contract.pdf` → `contract.pdf.asics`; the container that is added to → `contract.pdf.signed.asics`. */
const containerName = (name: string, extension: string, { coSign }: NamingOptions): string =>
  coSign ? `${stem(name)}.signed${extname(name)}` : `${name}${extension}`

const stem = (name: string): string => basename(name, extname(name))
