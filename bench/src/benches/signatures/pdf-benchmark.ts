import type { Benchmark } from '../../harness/benchmark.ts'
import { later, oneCoreNote, RSA_ALONE, repeating, rsaAlone, STEADY_STATE_MS, steadyStateNote } from './contestants.ts'
import { signPades, signPadesOnward } from './engine-pades.ts'
import { leastPades } from './least-pades.ts'
import { pdfSamples } from './sample-documents.ts'
import type { SigningWorld } from './signing-world.ts'

/** Signing PDF files against the RSA operation in it, and against what people script today. */
export function pdfBenchmark(world: () => Promise<SigningWorld>): Benchmark {
  return {
    name: 'signatures-pdf',
    title: 'Signing PDF: PAdES B-B on one core',
    question: 'What does signing a PDF cost beyond the RSA operation itself, whatever its size and number of objects?',
    compares: { measure: 'rate', unit: 'documents/s' },
    reference: RSA_ALONE,
    contestants: [
      rsaAlone(world),
      repeating(world, '20 KB', signPades(pdfSamples['20 KB'])),
      repeating(world, '1 MB', signPades(pdfSamples['1 MB'])),
      repeating(world, '1 MB, 4,000 objects', signPades(pdfSamples['1 MB, 4,000 objects'])),
      repeating(
        world,
        '1 MB, 4,000 objects, appended bytes only',
        signPades(pdfSamples['1 MB, 4,000 objects'], { output: 'appended' }),
      ),
      repeating(world, '10 MB', signPades(pdfSamples['10 MB'])),
      repeating(world, '10 MB, appended bytes only', signPades(pdfSamples['10 MB'], { output: 'appended' })),
      repeating(world, '10 MB, digest state carried on', signPadesOnward(pdfSamples['10 MB'])),
      repeating(world, '20 KB with a P-256 key', signPades(pdfSamples['20 KB'], { by: 'ec' })),
      repeating(world, least('20 KB'), leastPades(pdfSamples['20 KB'])),
      repeating(world, '20 KB, against the least', signPades(pdfSamples['20 KB']), { against: least('20 KB') }),
      repeating(
        world,
        least('1 MB, 4,000 objects, appended bytes only'),
        leastPades(pdfSamples['1 MB, 4,000 objects'], { output: 'appended' }),
      ),
      repeating(
        world,
        '1 MB, 4,000 objects, appended bytes only, against the least',
        signPades(pdfSamples['1 MB, 4,000 objects'], { output: 'appended' }),
        { against: least('1 MB, 4,000 objects, appended bytes only') },
      ),
      repeating(world, least('20 KB with a P-256 key'), leastPades(pdfSamples['20 KB'], { by: 'ec' })),
      repeating(world, '20 KB with a P-256 key, against the least', signPades(pdfSamples['20 KB'], { by: 'ec' }), {
        against: least('20 KB with a P-256 key'),
      }),
      repeating(world, 'signpdf, 20 KB', later(signpdf, pdfSamples['20 KB'])),
      repeating(world, 'signpdf, 1 MB, 4,000 objects', later(signpdf, pdfSamples['1 MB, 4,000 objects'])),
      repeating(world, 'signpdf, 10 MB', later(signpdf, pdfSamples['10 MB'])),
    ],
    targets: [
      { contestant: '20 KB', measure: 'ratio', atLeast: 0.93 },
      { contestant: '1 MB, 4,000 objects, appended bytes only', measure: 'ratio', atLeast: 0.8 },
      { contestant: '10 MB, appended bytes only', measure: 'ratio', atLeast: 0.3 },
      { contestant: '10 MB, digest state carried on', measure: 'ratio', atLeast: 0.85 },
      { contestant: '20 KB with a P-256 key', measure: 'rate', atLeast: 3000 },
      { contestant: '20 KB with a P-256 key, against the least', measure: 'ratio', atLeast: 0.85 },
    ],
    notes: [
      oneCoreNote,
      steadyStateNote,
      "output is the whole signed file in memory, or only the bytes to append to it, as a service that signs a staged copy in place wants them; targets of large files are held against the latter, the copy is nobody's need",
      '"the least" is what no verified PAdES signature can do without: one SHA-256 over the document, one signature, one verification, one copy of the output; its ratio to "RSA-2048 alone" is the most that a document of this size can reach',
      'signpdf: @signpdf/signpdf with placeholder-plain and signer-p12, as documented (opens the PKCS#12 for each document)',
      'not measured: pdfsig -add-signature, which needs a key in an NSS database that this machine has no tools to make',
      'every signature was accepted by pdfsig before the first turn',
    ],
    sampleSeconds: 2,
    warmUpMs: STEADY_STATE_MS,
  }
}

const least = (name: string): string => `the least: ${name}`

const signpdf = async () => (await import('./peers/signpdf.ts')).signPdf
