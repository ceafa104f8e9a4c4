import { signXades } from '../../../xades/sign-xades.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

// Plain letters: among them no single byte has a second spelling in canonical XML.
const sentence = 'O valor total deste contrato soma mil reais'
const text = `<?xml version="1.0" encoding="UTF-8"?>
<contrato xmlns="urn:example:contrato" xmlns:x="urn:example:extra" Id="c1">
  <!-- comentário -->
  <parte papel="contratante" x:ordem="1">Padaria &amp; Café Ltda</parte>
  <texto Id="t1">${sentence}</texto>
  <x:anexo><![CDATA[a < b]]></x:anexo>
</contrato>
`
const document = Buffer.from(text)
const signedParts = [Buffer.from(sentence)]
const inLatin1 = Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1')
const inUtf16 = Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le')
const levels = ['B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RA'] as const

/** Every packaging, several levels, one element of a document, a second signature, other encodings. */
export async function xmlSeeds({ ec, rsa, now, timestamps, judge }: CorpusWorld): Promise<Seed[]> {
  const options = { now, timestamps, judge }
  const sign = (name: string, more: Partial<Parameters<typeof signXades>[2]>) =>
    signXades(document, ec, { ...options, ...more }).then((xml) => seed(name, xml, { signedParts }))
  const once = await signXades(document, rsa, { ...options, parallel: true })
  return Promise.all([
    ...levels.map((level) => sign(level, { level })),
    sign('enveloping', { packaging: 'enveloping' }),
    sign('one element', { target: { id: 't1' } }),
    sign('first in the root', { position: { at: 'first-child' }, canonicalisation: 'inclusive' }),
    signXades(once, ec, { ...options, parallel: true }).then((xml) => seed('signed twice', xml, { signedParts })),
    signXades(inLatin1, ec, options).then((xml) => seed('ISO-8859-1', xml, { signedParts })),
    signXades(inUtf16, ec, options).then((xml) =>
      seed('UTF-16', xml, { signedParts: [Buffer.from(sentence, 'utf16le')] }),
    ),
    signXades(document, ec, { ...options, packaging: 'detached', uri: 'contrato.xml' }).then((xml) =>
      seed('detached', xml, { beside: { content: document } }),
    ),
  ])
}
