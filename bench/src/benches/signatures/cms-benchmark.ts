import { sign } from 'node:crypto'
import { completeCades, prepareCades } from '@chancela/signature-engine/cades'
import type { Benchmark } from '../../harness/benchmark.ts'
import {
  later,
  type MakeWork,
  oneCoreNote,
  RSA_ALONE,
  repeating,
  rsaAlone,
  STEADY_STATE_MS,
  steadyStateNote,
} from './contestants.ts'
import { requireDetachedCms } from './outside-judges.ts'
import { contentSample, type Sample } from './sample-documents.ts'
import type { SigningWorld } from './signing-world.ts'

/** Signing any file, with the signature beside it. */
export const cmsBenchmark = (world: () => Promise<SigningWorld>): Benchmark => ({
  name: 'signatures-cms',
  title: 'Signing any file: CAdES B-B, detached, on one core',
  question: 'What does a CMS signature cost beyond the RSA operation itself?',
  compares: { measure: 'rate', unit: 'documents/s' },
  reference: RSA_ALONE,
  contestants: [
    rsaAlone(world),
    repeating(world, '20 KB', signCades(contentSample)),
    repeating(world, 'pkijs, 20 KB', later(pkijs, contentSample)),
    repeating(world, 'openssl cms, 20 KB', later(openssl, contentSample)),
  ],
  targets: [{ contestant: '20 KB', measure: 'ratio', atLeast: 0.95 }],
  notes: [
    oneCoreNote,
    steadyStateNote,
    'pkijs signs through WebCrypto, on a second thread while the first waits; openssl is a process per document',
    'every signature was accepted by openssl cms -verify before the first turn',
  ],
  sampleSeconds: 2,
  warmUpMs: STEADY_STATE_MS,
})

/** Our engine: prepare, sign, complete. */
export const signCades =
  (sample: Sample): MakeWork =>
  ({ rsa: { certificate, chain, privateKey }, root, now }) => {
    const content = sample()
    return {
      once: () => {
        const { toSign, state } = prepareCades(content, certificate, { now, chain, packaging: 'detached' })
        return completeCades(state, sign('sha256', toSign, privateKey))
      },
      check: (cms) => requireDetachedCms(cms, content, root),
    }
  }

const openssl = async () => (await import('./peers/openssl-cms.ts')).signWithOpenssl

const pkijs = async () => (await import('./peers/pkijs.ts')).signWithPkijs
