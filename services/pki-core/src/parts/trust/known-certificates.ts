import { hash } from 'node:crypto'
import { LruCache } from '@chancela/service-kernel/concurrency'
import { EngineError } from '@chancela/signature-engine'
import { Certificate } from '@chancela/signature-engine/x509'

/** Certificates of people who come again: each remembers its key, its names and whose signature it has. */
const known = new LruCache<string, Certificate>(1000)

/** Undefined for bytes that are no certificate. */
export function readCertificate(der: Uint8Array): Certificate | undefined {
  try {
    return knownCertificate(der)
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}

function knownCertificate(der: Uint8Array): Certificate {
  const digest = hash('sha256', der, 'base64url')
  const certificate = known.get(digest) ?? Certificate.read(der)
  known.set(digest, certificate)
  return certificate
}

/** Whose certificate a row has, with the issuers beside it. */
export const holderIn = ({ certificate, issuers }: { readonly certificate: string; readonly issuers: string }) => ({
  certificate: keptCertificate(certificate),
  chain: (JSON.parse(issuers) as string[]).map(keptCertificate),
})

/** One that a row has, base64. */
export const keptCertificate = (der: string): Certificate => knownCertificate(Buffer.from(der, 'base64'))
