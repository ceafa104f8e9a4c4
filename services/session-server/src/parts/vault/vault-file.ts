import { randomUUID } from 'node:crypto'
import { EngineError } from '@chancela/signature-engine'
import { openPkcs12, type Pkcs12Contents, requireDigestKey } from '@chancela/signature-engine/keys'
import { refuseAtConsole } from '../../rules/refuse.ts'

const WRONG_PASSWORD = 'pkcs12.wrong-password'

/** Result of trying a PIN on a file. */
export type OpenedFile =
  | { readonly kind: 'opened'; readonly contents: Pkcs12Contents }
  | { readonly kind: 'differs' }
  | { readonly kind: 'cannot-tell'; readonly reason: string }

/** Tries a PIN on a PKCS#12 file, off the event loop. The fingerprint chooses among several keys. */
export async function tryFile(file: Uint8Array, pin: string, fingerprint?: string): Promise<OpenedFile> {
  try {
    const options = fingerprint === undefined ? {} : { alias: fingerprint }
    return { kind: 'opened', contents: await openPkcs12(file, pin, options) }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return error.code === WRONG_PASSWORD ? { kind: 'differs' } : { kind: 'cannot-tell', reason: error.message }
  }
}

/** Reads an imported file; refuses one that the vault could not sign with. */
export async function readVaultFile(file: Uint8Array, pin: string): Promise<Pkcs12Contents> {
  const opened = await tryFile(file, pin)
  if (opened.kind === 'differs') throw refuseAtConsole('CERTIFICATE_PIN_WRONG')
  if (opened.kind === 'cannot-tell') throw refuseFile(opened.reason)
  requireUsable(opened.contents)
  // Without a MAC and encryption any PIN opens a file: then the CPF alone would be enough to sign.
  const other = await tryFile(file, randomUUID())
  if (other.kind === 'opened') throw refuseFile('Any PIN opens the file.')
  return opened.contents
}

function requireUsable({ privateKey }: Pkcs12Contents): void {
  try {
    requireDigestKey(privateKey)
  } catch (error) {
    if (error instanceof EngineError) throw refuseFile(error.message)
    throw error
  }
}

const refuseFile = (reason: string) => refuseAtConsole('CERTIFICATE_FILE_INVALID', { reason })
