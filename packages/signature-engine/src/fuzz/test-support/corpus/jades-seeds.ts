import { addJadesSignature, type JadesHelpers, type JadesOptions, signJades } from '../../../jades/index.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

const content = Buffer.from('O valor total deste contrato soma mil reais')

const inBase64 = Buffer.from(content.toString('base64url'))

/** Every serialization and level, a payload as it is, a detached one, and a second signature. */
export async function jadesSeeds({ ec, rsa, now, timestamps, judge }: CorpusWorld): Promise<Seed[]> {
  const sign = (more: Partial<JadesOptions & JadesHelpers>) =>
    signJades(content, ec, { now, timestamps, judge, ...more })
  const claims = { roles: ['Diretora'], commitments: ['proof-of-origin'], place: { city: 'Recife' } }
  const general = await sign({ serialization: 'general' })
  const outside = { beside: { content } }
  return [
    signed('compact', await sign({}), [inBase64]),
    signed('compact, RSA', await signJades(content, rsa, { now, pss: true }), [inBase64]),
    signed('B-T', await sign({ level: 'B-T' }), [inBase64]),
    signed('B-LT', await sign({ level: 'B-LT' }), [inBase64]),
    signed('B-LTA', await sign({ level: 'B-LTA' }), [inBase64]),
    signed('claims', await sign({ claims, contentTimestamp: true, mimeType: 'text/plain' }), [inBase64]),
    signed('unencoded', await sign({ serialization: 'flattened', encoded: false }), [content]),
    signed('two signatures', await addJadesSignature(general, rsa, { now }), [inBase64]),
    signed('detached', await sign({ packaging: 'detached', uri: 'contrato.txt' }), [], outside),
    signed('detached, in base64url', await sign({ packaging: 'detached', uri: 'c.txt', encoded: true }), [], outside),
  ]
}

/** What a signature is over: the payload and the protected header, which begins every one of them. */
function signed(name: string, jws: Buffer, payload: readonly Buffer[], more: Partial<Pick<Seed, 'beside'>> = {}): Seed {
  const [header] = /eyJ[\w-]+/.exec(jws.toString('latin1'))!
  return seed(name, jws, { ...more, signedParts: [...payload, Buffer.from(header)] })
}
