import { catalogue } from '@chancela/cli'
import type { Bilingual } from '@chancela/service-kernel/i18n'
import { expect, test } from 'vitest'
// The sample of the page tests: it must match the real suite, or those tests would prove nothing.
import { sampleSuite } from '../../../web-console/test/sample-suite.ts'
import { demoServices } from '../services.ts'
import type { ServiceView } from './contract.ts'
import { curlLines } from './curl-lines.ts'

const now = new Date('2026-03-02T12:00:00Z')
const { definitions, board } = demoServices(now)
const surfaces = definitions.flatMap((service) => service.surfaces)
const { services } = await board.view(now)

test('every service and every command says what it is in both languages', () => {
  const commands = surfaces.flatMap((definition) =>
    curlLines({ definition, baseUrl: 'http://localhost' }).map(({ title }) => title),
  )
  const ofServices = services.flatMap(({ title, summary, specification }) => [title, summary, specification])
  expect(commands.length).toBeGreaterThan(20)
  expect([...ofServices, ...commands].filter(isUntranslated)).toEqual([])
})

test('every row of the catalogue is shown: what is built as it is, what is not as it will be', () => {
  const shown = services.map(({ name, state }) => [name, state])
  const built = new Set(surfaces.map(({ name }) => name))
  const expected = catalogue.map(({ name }) => [name, built.has(name) ? 'stopped' : 'not-built'])
  expect(shown.slice(0, catalogue.length)).toEqual(expected)
  expect(catalogue.filter(({ name, planned }) => built.has(name) === (planned !== undefined))).toEqual([])
})

test('nothing is promised that is not there: the batch signer has no approvals yet', () => {
  const batch = services.filter(({ name }) => name.startsWith('batch-signer'))
  expect(JSON.stringify(batch)).not.toMatch(/approv|aprova/i)
})

test('the example that the home page is tested with shows services and commands as they are', () => {
  const examples = sampleSuite().services.filter(({ name }) => !['archive', 'notary'].includes(name))
  expect(examples.length).toBeGreaterThan(5)
  for (const example of examples) {
    const real = services.find(({ name }) => name === example.name)!
    expect([example.name, wordsOf(example)]).toEqual([example.name, wordsOf(real)])
    expect([example.name, example.state === 'not-built']).toEqual([example.name, real.state === 'not-built'])
    for (const line of example.curl) expect(linesOf(example)).toContainEqual(line)
  }
})

const isUntranslated = ({ 'pt-BR': portuguese, 'en-US': english }: Bilingual) =>
  !portuguese || !english || portuguese === english

const wordsOf = ({ title, summary, specification, baseUrl }: ServiceView) => ({
  title,
  summary,
  specification,
  baseUrl,
})

const linesOf = ({ name, baseUrl, apiKey }: ServiceView) =>
  curlLines({ definition: surfaces.find((surface) => surface.name === name)!, baseUrl }, { ...(apiKey && { apiKey }) })
