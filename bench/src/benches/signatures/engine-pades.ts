import { createHash, sign } from 'node:crypto'
import { completePades, type PreparePadesOptions, preparePades } from '@chancela/signature-engine/pades'
import type { MakeWork } from './contestants.ts'
import { requirePdfSignature } from './outside-judges.ts'
import type { Sample } from './sample-documents.ts'
import type { Holder } from './signing-world.ts'

/** Variants of the engine's work. */
interface Asked {
  /** Default the RSA holder. */
  readonly by?: 'rsa' | 'ec'
  /** Default `whole`. */
  readonly output?: 'whole' | 'appended'
  /** Whether the digest of the document is known from an earlier pass; default not. */
  readonly digested?: boolean
}

/** Our engine, on one core: prepare, sign, complete. */
export const signPades =
  (sample: Sample, { by = 'rsa', output = 'whole', digested = false }: Asked = {}): MakeWork =>
  ({ now, ...holders }) => {
    const pdf = sample()
    const { certificate, chain, privateKey }: Holder = holders[by]
    const digestState = createHash('sha256').update(pdf)
    const options: PreparePadesOptions = { now, chain, output, ...(digested && { digestState }) }
    return {
      once: () => {
        const { toSign, state } = preparePades(pdf, certificate, options)
        return completePades(state, sign('sha256', toSign, privateKey))
      },
      check: (made) => requirePdfSignature(output === 'appended' ? Buffer.concat([pdf, made]) : made),
    }
  }

/** As a batch does it: storing the file has computed its digest state, and the signature is appended in place. */
export const signPadesOnward = (sample: Sample): MakeWork => signPades(sample, { output: 'appended', digested: true })
