import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchScene } from '../../scene.ts'
import type { Holder } from '../signatures/signing-world.ts'

/** Kinds of keys files are signed with. */
export type KeyKind = 'rsa' | 'ec'

/** Names of the holders in the demo PKI, which their PKCS#12 files carry too. */
export const signers = { rsa: 'ana-souza', ec: 'davi-moreira' } as const satisfies Record<KeyKind, string>

/** Who signs in the batch benchmarks, and the network that answers for their certificates. */
export interface BatchWorld {
  readonly holders: Readonly<Record<KeyKind, Holder>>
  /** The same keys and the trusted roots as files, for services and third-party programs. */
  readonly files: Readonly<Record<KeyKind, KeyFiles>> & { readonly roots: string }
}

interface KeyFiles {
  readonly pkcs12: string
  readonly key: string
  readonly certificate: string
  /** The certificates between the signer's and the root. */
  readonly chain: string
}

/** Opens the world on first use, once for all benchmarks: listing benchmarks must not create a PKI. */
export function batchWorld(scene: BenchScene): () => Promise<BatchWorld> {
  let world: Promise<BatchWorld> | undefined
  return () => {
    world ??= openBatchWorld(scene.folder)
    return world
  }
}

async function openBatchWorld(scratchFolder: string): Promise<BatchWorld> {
  const { openBatchPki } = await import('./open-batch-pki.ts')
  const { holders, anchors } = await openBatchPki(signers)
  const folder = await mkdtemp(join(scratchFolder, 'batch-keys-'))
  const roots = join(folder, 'roots.pem')
  await writeFile(roots, anchors)
  const files = { rsa: await writeKey(folder, 'rsa', holders.rsa), ec: await writeKey(folder, 'ec', holders.ec), roots }
  return { holders, files }
}

async function writeKey(folder: string, kind: KeyKind, holder: Holder): Promise<KeyFiles> {
  const { toPem } = await import('@chancela/signature-engine/der')
  const file = (what: string) => join(folder, `${kind}.${what}`)
  const { certificate, chain, privateKey, pkcs12 } = holder
  const pem = ({ der }: { readonly der: Uint8Array }) => toPem('CERTIFICATE', der)
  await Promise.all([
    writeFile(file('p12'), pkcs12),
    writeFile(file('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' })),
    writeFile(file('cert.pem'), pem(certificate)),
    writeFile(file('chain.pem'), chain.map(pem).join('')),
  ])
  return { pkcs12: file('p12'), key: file('key.pem'), certificate: file('cert.pem'), chain: file('chain.pem') }
}
