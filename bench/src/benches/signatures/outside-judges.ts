// Third-party programs that verify signatures.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toPem } from '@chancela/signature-engine/der'
import type { Certificate } from '@chancela/signature-engine/x509'
import { openssl, runTool } from '@chancela/testkit/tools'

/** `pdfsig` must find a valid signature over the whole file; trust in the signer is not checked here. */
export const requirePdfSignature = (pdf: Uint8Array): Promise<void> =>
  inFolder(async (folder) => {
    const file = join(folder, 'signed.pdf')
    await writeFile(file, pdf)
    const { text } = await runTool('pdfsig', ['-nocert', file])
    requireText(text, 'Signature is Valid', 'Total document signed')
  })

/** `openssl cms` must verify the signature over the content, up to the root. */
export const requireDetachedCms = (cms: Uint8Array, content: Uint8Array, root: Certificate): Promise<void> =>
  inFolder(async (folder) => {
    const [contentFile, rootFile] = [join(folder, 'content'), join(folder, 'root.pem')]
    await Promise.all([writeFile(contentFile, content), writeFile(rootFile, toPem('CERTIFICATE', root.der))])
    const how = ['-inform', 'DER', '-binary', '-content', contentFile, '-CAfile', rootFile, '-purpose', 'any']
    const { text } = await openssl(['cms', '-verify', ...how, '-out', join(folder, 'out')], { input: cms })
    requireText(text, 'erification successful')
  })

/** `xmlsec1` must verify the signature; ID attributes are declared, because the file has no DTD that does. */
export const requireXmlSignature = (xml: Uint8Array): Promise<void> =>
  inFolder(async (folder) => {
    const file = join(folder, 'signed.xml')
    await writeFile(file, xml)
    const ids = ['Signature', 'SignedProperties', 'KeyInfo', 'invoice'].flatMap((name) => ['--id-attr:Id', name])
    const { text } = await runTool('xmlsec1', ['--verify', '--insecure', ...ids, file])
    requireText(text, 'OK')
  })

function requireText(text: string, ...expected: readonly string[]): void {
  const missing = expected.find((part) => !text.includes(part))
  if (missing !== undefined) throw new Error(`Not accepted ("${missing}" is missing):\n${text}`)
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'chancela-bench-'))
  try {
    await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
