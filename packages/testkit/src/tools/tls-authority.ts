import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openssl } from './run-tool.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A private authority for TLS, made by openssl. */
export interface TlsAuthority {
  /** PEM of its certificate. */
  readonly caFile: string
  /** A new certificate for this machine, under its usual names, and its key. */
  issue(options?: TlsIssue): Promise<TlsFiles>
}

export interface TlsIssue {
  readonly commonName?: string
  readonly days?: number
  /** Encrypts the key. */
  readonly password?: string
}

export interface TlsFiles {
  readonly certificateFile: string
  readonly keyFile: string
  readonly certificate: string
  readonly key: string
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
const NAMES = 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1'

/** A new authority; its files go with the test. */
export async function tlsAuthority(): Promise<TlsAuthority> {
  const folder = temporaryFolder()
  const [caFile, caKey] = [join(folder, 'ca.pem'), join(folder, 'ca.key')]
  await made([...EC, '-nodes', '-days', '3650', '-subj', '/CN=House CA', '-keyout', caKey, '-out', caFile])
  let issued = 0
  return {
    caFile,
    issue: async ({ commonName = 'localhost', days = 90, password } = {}) => {
      const name = join(folder, `server-${++issued}`)
      const [keyFile, certificateFile] = [`${name}.key`, `${name}.pem`]
      const signed = ['-CA', caFile, '-CAkey', caKey, '-days', String(days), '-addext', NAMES]
      const sealed = password === undefined ? ['-nodes'] : ['-passout', 'env:PASSWORD']
      const subject = ['-subj', `/CN=${commonName}`, '-addext', 'basicConstraints=critical,CA:FALSE']
      await made([...EC, ...sealed, ...signed, ...subject, '-keyout', keyFile, '-out', certificateFile], password)
      // With its chain, as authorities deliver it.
      const certificate = `${await readFile(certificateFile, 'utf8')}${await readFile(caFile, 'utf8')}`
      writeFileSync(certificateFile, certificate)
      return { certificateFile, keyFile, certificate, key: await readFile(keyFile, 'utf8') }
    },
  }
}

async function made(args: readonly string[], password?: string): Promise<void> {
  const { ok, text } = await openssl(['req', '-x509', ...args], password === undefined ? {} : { password })
  if (!ok) throw new Error(`openssl made no certificate: ${text.slice(-500)}`)
}
