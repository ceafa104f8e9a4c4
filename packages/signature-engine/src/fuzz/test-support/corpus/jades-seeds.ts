import { addJadesSignature, type JadesHelpers, type JadesOptions, signJades } from '../../../jades/index.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

const content = Buffer.from('O valor total deste contrato soma mil reais')
const inBase64 = [Buffer.from(content.toString('base64url'))]

/** Every serialization and level, a payload as it is, a detached one, and a second signature. */
export async function jadesSeeds({ ec, rsa, now, timestamps, judge }: CorpusWorld): Promise<Seed[]> {
  const sign = (more: Partial<JadesOptions & JadesHelpers>) =>
    signJades(content, ec, { now, timestamps, judge, ...more })
  const claims = { roles: ['Diretora'], commitments: ['proof-of-origin'], place: { city: 'Recife' } }
  const general = await sign({ serialization: 'general' })
  return [
    seed('compact', await sign({}), { signedParts: inBase64 }),
    seed('compact, RSA', await signJades(content, rsa, { now, pss: true }), { signedParts: inBase64 }),
    seed('B-T', await sign({ level: 'B-T' }), { signedParts: inBase64 }),
    seed('B-LT', await sign({ level: 'B-LT' }), { signedParts: inBase64 }),
    seed('B-LTA', await sign({ level: 'B-LTA' }), { signedParts: inBase64 }),
    seed('claims', await sign({ claims, contentTimestamp: true, mimeType: 'text/plain' }), { signedParts: inBase64 }),
    seed('unencoded', await sign({ serialization: 'flattened', encoded: false }), { signedParts: [content] }),
    seed('two signatures', await addJadesSignature(general, rsa, { now }), { signedParts: inBase64 }),
    seed('detached', await sign({ packaging: 'detached', uri: 'contrato.txt' }), { beside: { content } }),
  ]
}
