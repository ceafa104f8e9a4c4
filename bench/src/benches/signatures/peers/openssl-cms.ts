import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toPem } from '@chancela/signature-engine/der'
import { openssl } from '@chancela/testkit/tools'
import type { MakeWork } from '../contestants.ts'
import { requireDetachedCms } from '../outside-judges.ts'
import type { Sample } from '../sample-documents.ts'

/** `openssl cms -sign`, a process per document. */
export const signWithOpenssl =
  (sample: Sample): MakeWork =>
  async ({ rsa: { certificate, chain, privateKey }, root }) => {
    const content = sample()
    const folder = await mkdtemp(join(tmpdir(), 'chancela-bench-'))
    const file = (name: string) => join(folder, name)
    await Promise.all([
      writeFile(file('content'), content),
      writeFile(file('signer.pem'), toPem('CERTIFICATE', certificate.der)),
      writeFile(file('chain.pem'), chain.map(({ der }) => toPem('CERTIFICATE', der)).join('')),
      writeFile(file('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ])
    const key = ['-signer', file('signer.pem'), '-certfile', file('chain.pem'), '-inkey', file('key.pem')]
    const how = ['-sign', '-binary', '-cades', '-md', 'sha256', '-outform', 'DER', '-in', file('content')]
    return {
      once: async () => {
        const { ok, stdout, text } = await openssl(['cms', ...how, ...key])
        if (!ok) throw new Error(text)
        return stdout
      },
      check: (cms) => requireDetachedCms(cms, content, root),
      end: () => rm(folder, { recursive: true }),
    }
  }
