import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'

/** Where the certificate of a server is: PEM, the certificate first and its chain after it. */
export interface PairFiles {
  readonly certificateFile: string
  readonly keyFile: string
  readonly keyPassword?: string | undefined
}

/** A certificate and its key, as a TLS server takes them. */
export interface Pair {
  readonly cert: string
  readonly key: string
  readonly passphrase?: string
  readonly notBefore: Date
  readonly notAfter: Date
}

/** Why files are no pair. The setting is the one to look at first. */
export class PairProblem extends Error {
  override readonly name = 'PairProblem'
  readonly setting: 'CertificateFile' | 'KeyFile' | 'KeyPassword'

  constructor(setting: PairProblem['setting'], sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.setting = setting
  }
}

/** Reads a pair and checks that both belong together; throws PairProblem. */
export async function readPair({ certificateFile, keyFile, keyPassword }: PairFiles): Promise<Pair> {
  const [cert, key] = [await textOf('CertificateFile', certificateFile), await textOf('KeyFile', keyFile)]
  const certificate = certificateIn(cert, certificateFile)
  const privateKey = keyIn(key, { keyFile, keyPassword })
  if (!certificate.checkPrivateKey(privateKey))
    throw new PairProblem('KeyFile', `The key in ${keyFile} does not belong to the certificate in ${certificateFile}.`)
  const pair = { cert, key, ...(keyPassword !== undefined && { passphrase: keyPassword }) }
  requireUsable(pair, certificateFile)
  return { ...pair, notBefore: new Date(certificate.validFrom), notAfter: new Date(certificate.validTo) }
}

async function textOf(setting: 'CertificateFile' | 'KeyFile', file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    throw new PairProblem(setting, `The file ${file} cannot be read (${code}).`, error)
  }
}

function certificateIn(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    throw new PairProblem('CertificateFile', `The file ${file} does not begin with a certificate in PEM.`, error)
  }
}

function keyIn(pem: string, { keyFile, keyPassword }: Pick<PairFiles, 'keyFile' | 'keyPassword'>): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(keyPassword !== undefined && { passphrase: keyPassword }) })
  } catch (error) {
    if (!isEncrypted(pem)) throw new PairProblem('KeyFile', `The file ${keyFile} holds no private key in PEM.`, error)
    const sentence =
      keyPassword === undefined ? 'is encrypted and needs its password' : 'does not open with its password'
    throw new PairProblem('KeyPassword', `The key in ${keyFile} ${sentence}.`, error)
  }
}

const isEncrypted = (pem: string): boolean => /ENCRYPTED/.test(pem)

/** What OpenSSL refuses only in a server: a broken chain, a key that is too short. */
function requireUsable(pair: Omit<Pair, 'notBefore' | 'notAfter'>, certificateFile: string): void {
  try {
    createSecureContext(pair)
  } catch (error) {
    const { message } = error as Error
    throw new PairProblem(
      'CertificateFile',
      `The certificate in ${certificateFile} cannot be served: ${message}.`,
      error,
    )
  }
}
