import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoHolders } from './declaration.ts'
import type { DemoPki } from './demo-pki.ts'

/** A holder as `data/demo.json` lists it. */
export interface DemoHolderFile {
  readonly name: string
  readonly cpf: string
  readonly pin: string
  readonly email: string
  readonly custody: 'vault'
  readonly pkcs12: string
}

/** Writes the trust anchors and each demo holder's certificate and PKCS#12, under its PIN, and returns their paths. */
export async function writeDemoFiles(
  pki: DemoPki,
  folder: string,
): Promise<{ trustAnchors: string; holders: DemoHolderFile[] }> {
  await mkdir(folder, { recursive: true })
  const trustAnchors = join(folder, 'roots.pem')
  await writeFile(trustAnchors, pki.trustAnchors())
  const holders: DemoHolderFile[] = []
  for (const { label, name, cpf, pin, email } of demoHolders) {
    const pkcs12 = join(folder, `${label}.p12`)
    await writeFile(pkcs12, pki.pkcs12(pki.certificate(label), { password: pin }), { mode: 0o600 })
    await writeFile(join(folder, `${label}.pem`), pki.certificate(label).x509.toString())
    holders.push({ name, cpf, pin, email, custody: 'vault', pkcs12 })
  }
  return { trustAnchors, holders }
}
