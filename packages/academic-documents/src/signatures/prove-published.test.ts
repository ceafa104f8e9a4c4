import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, expect, test } from 'vitest'
import { signaturePlans } from './index.ts'
import { type RegistryWorld, registryWorld } from './test-support/registry-world.ts'
import * as samples from './test-support/samples.ts'

const SCHEMAS = fileURLToPath(new URL('../../../../../shared/xsd/1.05', import.meta.url))

let world: RegistryWorld
beforeAll(async () => {
  world = await registryWorld()
})

/** What xmllint says of a document, with the official schema. */
const verdictOf = async (schema: string, bytes: Uint8Array) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'document.xml'), bytes)
  const path = join(SCHEMAS, `${schema}_v1.05.xsd`)
  expect(existsSync(path)).toBe(true)
  const { text } = await runTool('xmllint', ['--noout', '--nonet', '--schema', path, 'document.xml'], { folder })
  return text.trim()
}

test.each([
  ['academicTranscript', 'HistoricoEscolarDigital'],
  ['curriculum', 'CurriculoEscolarDigital'],
  ['cancellationList', 'ListaDiplomasAnulados'],
  ['inspectionFile', 'ArquivoFiscalizacao'],
] as const)('the signed %s follows the official schema', async (kind, schema) => {
  let bytes: Buffer = samples.unsignedDocuments[kind](world.terms)
  const closer = kind === 'cancellationList' ? world.registrar : world.issuer
  for (const { certificate } of signaturePlans[kind])
    bytes = await world.sign(bytes, certificate === 'eCpf' ? world.clerk : closer)
  expect(await verdictOf(schema, bytes)).toBe('document.xml validates')
})

test('the closed academic documentation and the closed degree follow the official schemas', async () => {
  const signatories = { issuerSignatories: ['11144477735', '12345678909'] }
  const documentation = await world.closedDocumentation(signatories)
  expect(await verdictOf('DocumentacaoAcademicaRegistroDiplomaDigital', documentation)).toBe('document.xml validates')
  expect(await verdictOf('DiplomaDigital', await world.closedDegree(documentation))).toBe('document.xml validates')
})
