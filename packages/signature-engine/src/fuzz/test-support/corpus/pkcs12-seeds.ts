import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Pkcs12VariantName, pkcs12Variants } from '@chancela/testkit/demo-pki'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

/** Every variant but the slow one, and an unencrypted one, so that mutations reach the bags. */
export function pkcs12Seeds({ pki }: CorpusWorld): Seed[] {
  const names = (Object.keys(pkcs12Variants) as Pkcs12VariantName[]).filter((name) => name !== 'aes-256-600k')
  const variants = names.map((variant) => {
    const { holder, password } = pkcs12Variants[variant].example
    return seed(variant, pki.pkcs12(pki.certificate(holder), { password, variant }), withPassword(password))
  })
  const open = nothingHidden(pki.certificate('davi-moreira'))
  // Several times, because it is the one in which mutations are not stopped by the first checksum.
  return [...variants, ...Array.from({ length: 4 }, () => seed('nothing hidden', open, withPassword('')))]
}

const withPassword = (password: string) => ({ beside: { password: Buffer.from(password) } })

/** A file without MAC and without encryption, which only third-party command lines write. */
function nothingHidden({ x509, key }: ReturnType<CorpusWorld['pki']['certificate']>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-fuzz-'))
  try {
    const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    writeFileSync(keyFile, key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    writeFileSync(certificateFile, x509.toString())
    const protection = ['-keypbe', 'NONE', '-certpbe', 'NONE', '-nomac', '-passout', 'pass:']
    const out = join(folder, 'open.p12')
    execFileSync('openssl', [
      'pkcs12',
      '-export',
      '-inkey',
      keyFile,
      '-in',
      certificateFile,
      ...protection,
      '-out',
      out,
    ])
    return readFileSync(out)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
