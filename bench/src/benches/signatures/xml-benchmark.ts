import { sign } from 'node:crypto'
import { completeXades, prepareXades } from '@chancela/signature-engine/xades'
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
import { requireXmlSignature } from './outside-judges.ts'
import { type Sample, xmlSamples } from './sample-documents.ts'
import type { SigningWorld } from './signing-world.ts'

/** Signing XML, where reading and canonicalising the document is the work. */
export function xmlBenchmark(world: () => Promise<SigningWorld>): Benchmark {
  const [small, large] = [xmlSamples['5 KB'], xmlSamples['500 KB']]
  return {
    name: 'signatures-xml',
    title: 'Signing XML: XAdES B-B, enveloped, on one core',
    question: 'What does signing an XML document cost beyond the RSA operation itself?',
    compares: { measure: 'rate', unit: 'documents/s' },
    reference: RSA_ALONE,
    contestants: [
      rsaAlone(world),
      repeating(world, '5 KB', signXades(small)),
      repeating(world, '500 KB', signXades(large)),
      repeating(world, 'xadesjs, 5 KB', later(xadesjs, small)),
      repeating(world, 'xadesjs, 500 KB', later(xadesjs, large)),
      repeating(world, 'xmlsec1, 5 KB', later(xmlsec, small)),
      repeating(world, 'xmlsec1, 500 KB', later(xmlsec, large)),
    ],
    targets: [
      { contestant: '5 KB', measure: 'ratio', atLeast: 0.9 },
      { contestant: '500 KB', measure: 'ratio', atLeast: 0.35 },
    ],
    notes: [
      oneCoreNote,
      steadyStateNote,
      'from the bytes of the document to the bytes of the signed one; the documents hold references, accents and namespaces',
      'xmlsec1 makes a plain XML signature, without the properties of XAdES, in a process per document',
      'every signature was accepted by xmlsec1 --verify before the first turn',
    ],
    sampleSeconds: 2,
    warmUpMs: STEADY_STATE_MS,
  }
}

/** Our engine: prepare, sign, complete. */
export const signXades =
  (sample: Sample): MakeWork =>
  ({ rsa: { certificate, chain, privateKey }, now }) => {
    const document = sample()
    return {
      once: () => {
        const { toSign, state } = prepareXades(document, certificate, { now, chain })
        return completeXades(state, sign('sha256', toSign, privateKey))
      },
      check: requireXmlSignature,
    }
  }

const xadesjs = async () => (await import('./peers/xadesjs.ts')).signWithXadesjs

const xmlsec = async () => (await import('./peers/xmlsec1.ts')).signWithXmlsec
