import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import { toPem } from '@chancela/signature-engine/der'
import { encryptTo } from '@chancela/signature-engine/envelope'
import { type Certificate, readCertificates } from '@chancela/signature-engine/x509'

/** The certificates of the files in a setting; a file without one prevents the start. */
export async function encryptionCertificates(
  files: readonly string[],
  dataFolder: string,
  setting: string,
): Promise<readonly Certificate[]> {
  const found: Certificate[] = []
  for (const file of files) found.push(...(await certificatesIn(resolve(dataFolder, file), setting)))
  return found
}

/** The same as PEM texts, one certificate each, as profiles store them. */
export async function encryptionTexts(files: readonly string[], dataFolder: string): Promise<readonly string[]> {
  const setting = 'batch-signer Signing:Profiles:EncryptionCertificateFiles'
  const certificates = await encryptionCertificates(files, dataFolder, setting)
  return certificates.map(({ der }) => toPem('CERTIFICATE', der))
}

async function certificatesIn(path: string, setting: string): Promise<readonly Certificate[]> {
  try {
    const certificates = readCertificates(await readFile(path))
    if (certificates.length > 0) return certificates
  } catch (cause) {
    const why = cause instanceof EngineError ? cause.message : (cause as NodeJS.ErrnoException).code
    throw new StartupProblem(`${setting}: ${path} cannot be read: ${why}`, { setting, cause })
  }
  throw new StartupProblem(`${setting}: ${path} holds no certificate.`, { setting })
}

/** Why this text cannot be an encryption recipient; undefined when it is one usable certificate. */
export function recipientProblem(pem: string): string | undefined {
  try {
    const certificates = readCertificates(Buffer.from(pem))
    if (certificates.length !== 1) return 'Each entry is one certificate in PEM.'
    // Validity in time is checked when encrypting.
    encryptTo(certificates, Buffer.alloc(0), { now: certificates[0]!.notBefore, allowExpired: true })
    return undefined
  } catch (error) {
    if (error instanceof EngineError) return error.message
    throw error
  }
}
